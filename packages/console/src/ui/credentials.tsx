/** API keys and agent tokens: their list, the form that mints one, and what shows and revokes one. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { request } from '../lib/api.js';
import type { Paged } from '../lib/use-query.js';
import { Button } from './button.js';
import { Confirm, SecretDialog } from './dialogs.js';
import { Tag, Time } from './labels.js';
import { List } from './list.js';
import { allScopes, MintForm, type MintInput, type Scope } from './mint.js';

export interface Credential {
  id: string;
  name: string;
  scopes: readonly Scope[];
  hint: string;
  created_at: string;
  last_used_at: string | null;
  expires_at: string | null;
}

export const ScopeTags = ({ scopes }: { scopes: readonly string[] }) => (
  <span class="row">
    {scopes.length === allScopes.length ? (
      <Tag>all scopes</Tag>
    ) : scopes.length === 0 ? (
      <Tag>no scopes</Tag>
    ) : (
      scopes.map((scope) => <Tag key={scope}>{scope}</Tag>)
    )}
  </span>
);

interface Props<T extends Credential> {
  list: Paged<T>;
  what: 'key' | 'token';
  /** The path of the list, below which each credential is. */
  url: string;
  label: string;
  head?: ComponentChildren;
  empty: ComponentChildren;
  /** What stands beside the name. */
  marks?: (credential: T) => ComponentChildren;
  /** What is to be known before one is revoked. */
  warning?: (credential: T) => string;
  scopes: readonly Scope[];
  usual: readonly Scope[];
  /** Resolves with the secret. */
  mint: (input: MintInput) => Promise<string>;
  /** What stands before the fields of the form. */
  children?: ComponentChildren;
}

export function Credentials<T extends Credential>({
  list,
  what,
  url,
  label,
  head,
  empty,
  marks,
  warning = () => 'Whoever uses it is refused from now on, and open streams end.',
  scopes,
  usual,
  mint,
  children,
}: Props<T>) {
  const [secret, setSecret] = useState<string | null>(null);
  const [revoking, setRevoking] = useState<T | null>(null);
  return (
    <div class="split">
      <section class="card flush" aria-label={label}>
        {head}
        <List list={list} noun={`${what}s`} empty={empty}>
          {(items) => (
            <ul class="items">
              {items.map((one) => (
                <li key={one.id}>
                  <div class="row between">
                    <span class="row">
                      <strong>{one.name}</strong>
                      {marks?.(one)}
                    </span>
                    <Button
                      small
                      kind="danger"
                      label={`Revoke ${one.name}`}
                      onClick={() => {
                        setRevoking(one);
                      }}
                    >
                      Revoke
                    </Button>
                  </div>
                  <ScopeTags scopes={one.scopes} />
                  <div class="meta">
                    <code>{one.hint}…</code>
                    <span>
                      made <Time at={one.created_at} />
                    </span>
                    <span>
                      used <Time at={one.last_used_at} />
                    </span>
                    <span>
                      expires <Time at={one.expires_at} />
                    </span>
                  </div>
                </li>
              ))}
            </ul>
          )}
        </List>
      </section>
      <section class="card" aria-label={`Mint a ${what}`}>
        <h2>Mint a {what}</h2>
        {children}
        <MintForm
          what={what}
          scopes={scopes}
          usual={usual}
          mint={async (input) => {
            setSecret(await mint(input));
            list.reload();
            return null;
          }}
        />
      </section>
      {secret !== null && (
        <SecretDialog
          title={`The new ${what}`}
          secret={secret}
          onClose={() => {
            setSecret(null);
          }}
        />
      )}
      {revoking !== null && (
        <Confirm
          title={`Revoke ${revoking.name}?`}
          verb="Revoke"
          act={async () => {
            await request('DELETE', `${url}/${encodeURIComponent(revoking.id)}`);
            list.reload();
            return `${revoking.name} is revoked.`;
          }}
          onClose={() => {
            setRevoking(null);
          }}
        >
          <p>{warning(revoking)} This cannot be undone.</p>
        </Confirm>
      )}
    </div>
  );
}
