/** What API keys and agent tokens have in common: a name, scopes, an expiry, and a secret that is shown once. */
import { useState } from 'preact/hooks';
import type { Schema } from '../lib/api.js';
import { can } from '../lib/session.js';
import { Button, useAction } from './button.js';
import { Check, SelectField, TextField } from './fields.js';
import { Problem } from './states.js';

/** Those of tokens; a key has all of them but `agent:mcp`. */
export type Scope = Schema<'AgentToken'>['scopes'][number];

export const allScopes: readonly Schema<'ApiKey'>['scopes'][number][] = [
  'agent:spawn',
  'agent:read',
  'agent:manage',
  'memory:read',
  'memory:write',
  'hive:read',
  'hive:write',
  'usage:read',
  'workspace:admin',
];

export interface MintInput {
  name: string;
  scopes: Scope[];
  expires_at: string | null;
}

const day = 86_400_000;
const expiries = [
  ['', 'never'],
  [String(day), 'in a day'],
  [String(7 * day), 'in a week'],
  [String(30 * day), 'in 30 days'],
  [String(365 * day), 'in a year'],
] as const;

/** Nobody mints what they lack; `agent:mcp` is no scope that a key could have. */
const mayGive = (scope: Scope): boolean => scope === 'agent:mcp' || can(scope);

export function MintForm({
  what,
  scopes,
  usual,
  mint,
}: {
  what: string;
  /** Those that can be chosen. */
  scopes: readonly Scope[];
  usual: readonly Scope[];
  mint: (input: MintInput) => Promise<string | null>;
}) {
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState<readonly Scope[]>(usual.filter(can));
  const [expiry, setExpiry] = useState('');
  const [complaint, setComplaint] = useState<string>();
  const { run, busy, error } = useAction(async () => {
    const done = await mint({
      name,
      scopes: [...chosen],
      expires_at: expiry === '' ? null : new Date(Date.now() + Number(expiry)).toISOString(),
    });
    setName('');
    return done;
  });
  return (
    <form
      class="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setComplaint(name.trim() === '' ? `Name the ${what}, so that you know it again.` : undefined);
        if (name.trim() !== '') run();
      }}
    >
      <TextField label="Name" value={name} onInput={setName} placeholder="ci, laptop, partner…" error={complaint} />
      <fieldset>
        <legend>Scopes</legend>
        <div class="stack tight">
          {scopes.map((scope) => (
            <Check
              key={scope}
              checked={chosen.includes(scope)}
              disabled={!mayGive(scope)}
              onChange={(on) => {
                setChosen((before) => (on ? [...before, scope] : before.filter((other) => other !== scope)));
              }}
              label={<code>{scope}</code>}
              {...(!mayGive(scope) && { hint: 'Your own key lacks it.' })}
            />
          ))}
        </div>
      </fieldset>
      <SelectField label="Expires" value={expiry} onChange={setExpiry} options={expiries} />
      <Problem error={error} />
      <div class="actions">
        <Button kind="primary" type="submit" busy={busy}>
          Mint the {what}
        </Button>
      </div>
    </form>
  );
}
