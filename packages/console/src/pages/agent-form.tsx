/** The form that knows an agent's settings: for spawning one, and for changing it. */
import { useState } from 'preact/hooks';
import type { Agent, Schema } from '../lib/api.js';
import { useDraft } from '../lib/drafts.js';
import { session } from '../lib/session.js';
import { useStore } from '../lib/store.js';
import { Button, useAction } from '../ui/button.js';
import { Check, SelectField, TextField } from '../ui/fields.js';
import { Problem } from '../ui/states.js';
import { Form } from '../ui/form.js';
import { jsonObject } from '../lib/json.js';

export interface AgentFormProps {
  /** Whose settings are changed; none for a new agent. */
  agent?: Agent;
  verb: string;
  save: (input: Schema<'PatchAgentInput'>) => Promise<string | null>;
}

const gates = [
  ['none', 'Nothing: it acts by itself'],
  ['action', 'Actions: before it remembers, sends or shares'],
  ['answer', 'Answers: before it answers'],
] as const;

type AcceptKind = 'all' | 'hive' | 'list';

function acceptOf(accept: 'all' | 'hive' | readonly string[] | undefined): [AcceptKind, string] {
  return Array.isArray(accept) ? ['list', accept.join('\n')] : [(accept as 'all' | 'hive' | undefined) ?? 'all', ''];
}

/** A number in the form: null is the empty field, which means the service's default. */
const text = (n: number | null | undefined): string => (n === null || n === undefined ? '' : String(n));
const numberOr = (value: string): number | null => (value.trim() === '' ? null : Number(value));

export function AgentForm({ agent, verb, save }: AgentFormProps) {
  const config: Agent['config'] = agent?.config ?? {};
  const [accepted, acceptList] = acceptOf(config.mailbox?.accept);
  const draft = useDraft(agent?.id ?? 'a new agent', {
    name: agent?.name ?? '',
    description: agent?.description ?? '',
    model: [config.model ?? []].flat().join(', '),
    instructions: config.instructions ?? '',
    temperature: text(config.temperature),
    multi_step: config.multi_step ?? false,
    max_steps: text(config.max_steps),
    max_parallel: text(config.max_parallel),
    gate: config.validation_gate ?? 'none',
    wake: agent?.wake_on_message ?? false,
    quota: text(agent?.memory_quota),
    runtime: text(agent?.maxRuntimeSeconds),
    recall: text(config.memory?.recall_limit),
    relevance: text(config.memory?.min_relevance),
    accept: accepted,
    acceptList,
    metadata:
      agent === undefined || Object.keys(agent.metadata).length === 0 ? '' : JSON.stringify(agent.metadata, null, 2),
  });
  const { value: form, set } = draft;
  const [complaint, setComplaint] = useState<{ name?: string; metadata?: string }>({});
  const { run, busy, error } = useAction(async (input: Parameters<typeof save>[0]) => {
    const done = await save(input);
    draft.discard();
    return done;
  });
  const submit = (): void => {
    const metadata = form.metadata.trim() === '' ? {} : jsonObject(form.metadata);
    const wrong = {
      ...(form.name.trim() === '' && { name: 'An agent needs a name.' }),
      ...(metadata === null && { metadata: 'This is no JSON object, such as {"team": "blue"}.' }),
    };
    setComplaint(wrong);
    if (Object.keys(wrong).length > 0) return;
    const models = form.model.split(',').flatMap((name) => name.trim() || []);
    const config = {
      model: models.length > 1 ? models : (models[0] ?? null),
      instructions: form.instructions || null,
      temperature: numberOr(form.temperature),
      multi_step: form.multi_step,
      max_steps: numberOr(form.max_steps),
      max_parallel: numberOr(form.max_parallel),
      validation_gate: form.gate,
      mailbox: {
        accept: form.accept === 'list' ? form.acceptList.split(/[\s,]+/).filter((id) => id !== '') : form.accept,
      },
      memory: { recall_limit: numberOr(form.recall), min_relevance: numberOr(form.relevance) },
    };
    run({
      name: form.name,
      description: form.description,
      // a new agent has nothing that null could remove
      config: agent === undefined ? withoutNulls(config) : config,
      wake_on_message: form.wake,
      memory_quota: numberOr(form.quota),
      maxRuntimeSeconds: numberOr(form.runtime),
      metadata: { ...removals(agent?.metadata, metadata), ...metadata },
    });
  };
  return (
    <Form onSubmit={submit}>
      <TextField
        label="Name"
        value={form.name}
        onInput={set('name')}
        error={complaint.name}
        autoFocus={!agent}
        required
      />
      <TextField
        label="Description"
        value={form.description}
        onInput={set('description')}
        hint="What it is for; peers read it on its A2A card."
      />
      <TextField
        label="Instructions"
        value={form.instructions}
        onInput={set('instructions')}
        rows={4}
        placeholder={'You keep the launch plan.\nRemember every message.'}
      />
      <div class="form-row">
        <TextField
          label="Model"
          value={form.model}
          onInput={set('model')}
          placeholder="built-in"
          hint="built-in works offline; openai/<name> asks the configured server. Several with commas: the next answers for one that cannot."
        />
        <TextField
          label="Temperature"
          type="number"
          min={0}
          max={2}
          step="any"
          value={form.temperature}
          onInput={set('temperature')}
          hint="0 to 2; empty leaves it to the model."
        />
      </div>
      <UnknownServers models={form.model} />
      <fieldset class="form">
        <legend>Runs</legend>
        <Check
          checked={form.multi_step}
          onChange={set('multi_step')}
          label="Works in several steps"
          hint="It plans, acts a step at a time, and reflects before it answers."
        />
        <div class="form-row">
          <TextField
            label="Maximum steps"
            type="number"
            min={1}
            max={100}
            value={form.max_steps}
            onInput={set('max_steps')}
            placeholder="10"
          />
          <TextField
            label="Conversations at a time"
            type="number"
            min={1}
            max={64}
            value={form.max_parallel}
            onInput={set('max_parallel')}
            placeholder="8"
          />
          <TextField
            label="Maximum runtime in seconds"
            type="number"
            min={1}
            max={3600}
            value={form.runtime}
            onInput={set('runtime')}
            placeholder="300"
          />
        </div>
        <SelectField
          label="Asks for approval"
          value={form.gate}
          onChange={(gate) => {
            set('gate')(gate as typeof form.gate);
          }}
          options={gates}
        />
      </fieldset>
      <fieldset class="form">
        <legend>Mailbox</legend>
        <Check
          checked={form.wake}
          onChange={set('wake')}
          label="Wakes on messages"
          hint="A message from another agent starts a run that reads it."
        />
        <SelectField
          label="Takes messages of"
          value={form.accept}
          onChange={(accept) => {
            set('accept')(accept as AcceptKind);
          }}
          options={[
            ['all', 'everybody in the workspace'],
            ['hive', 'agents that share a hive with it'],
            ['list', 'those that I name'],
          ]}
        />
        {form.accept === 'list' && (
          <TextField
            label="Agents, an id a line"
            value={form.acceptList}
            onInput={set('acceptList')}
            rows={3}
            hint="The word external stands for clients."
          />
        )}
      </fieldset>
      <details>
        <summary>Memory and metadata</summary>
        <div class="form">
          <div class="form-row">
            <TextField
              label="Maximum long-term memories"
              type="number"
              min={0}
              value={form.quota}
              onInput={set('quota')}
              placeholder="no cap"
            />
            <TextField
              label="Maximum memories recalled"
              type="number"
              min={0}
              max={50}
              value={form.recall}
              onInput={set('recall')}
              placeholder="5"
            />
            <TextField
              label="Minimum relevance"
              type="number"
              min={0}
              max={1}
              step="any"
              value={form.relevance}
              onInput={set('relevance')}
              placeholder="0.1"
            />
          </div>
          <TextField
            label="Metadata"
            value={form.metadata}
            onInput={set('metadata')}
            rows={3}
            placeholder="{}"
            error={complaint.metadata}
            hint="A JSON object."
          />
        </div>
      </details>
      <Problem error={error} />
      <div class="actions">
        <Button kind="primary" type="submit" busy={busy} needs={agent === undefined ? 'agent:spawn' : 'agent:manage'}>
          {verb}
        </Button>
        {draft.isChanged && (
          <>
            <Button kind="quiet" onClick={draft.discard}>
              Discard the changes
            </Button>
            <span class="hint">Not saved yet.</span>
          </>
        )}
      </div>
    </Form>
  );
}

/** A patch merges: what is gone from the text has to be removed by null. */
const removals = (before: Record<string, unknown> = {}, after: Record<string, unknown> | null): Record<string, null> =>
  Object.fromEntries(
    Object.keys(before)
      .filter((name) => !(name in (after ?? {})))
      .map((name) => [name, null]),
  );

function withoutNulls<T extends object>(of: T): T {
  return Object.fromEntries(
    Object.entries(of)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => [
        name,
        typeof value === 'object' && !Array.isArray(value) ? withoutNulls(value as object) : (value as unknown),
      ]),
  ) as T;
}

/** Says which of the named servers of models this service does not have: such an agent can be made, and cannot answer. */
function UnknownServers({ models }: { models: string }) {
  const who = useStore(session);
  const servers = who.key === null ? undefined : who.me.model_servers;
  if (servers === undefined) return null;
  const missing = models.split(',').flatMap((model) => {
    const name = model.trim();
    const server = name.split('/')[0] ?? '';
    return name === '' || name === 'built-in' || servers.includes(server) ? [] : [server];
  });
  if (missing.length === 0) return null;
  return (
    <p class="note warn" role="status">
      This service has no model server {missing.map((name) => `“${name}”`).join(', ')}: runs fail until the operator
      names it.{' '}
      {servers.length === 0 ? 'No server is configured, so only built-in answers.' : `There is ${servers.join(', ')}.`}
    </p>
  );
}
