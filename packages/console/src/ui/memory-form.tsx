import { useState } from 'preact/hooks';
import { path, request, type Memory, type RequestOptions } from '../lib/api.js';
import { AgentField } from './agent-link.js';
import { Button, useAction } from './button.js';
import { TextField } from './fields.js';
import { Problem } from './states.js';

/** Whose memories: an agent's, a hive's, or with neither the workspace's. */
export type Scope = { agent_id?: string; hive_id?: string };

/** For adding a memory to the scope, or for changing one: `corrects` adds one that takes its place. */
export function MemoryForm({
  scope,
  memory,
  corrects = false,
  onDone,
}: {
  scope: Scope;
  memory?: Memory;
  corrects?: boolean;
  onDone: () => void;
}) {
  const [content, setContent] = useState(memory?.content ?? '');
  const [type, setType] = useState(memory?.type ?? 'semantic');
  const [importance, setImportance] = useState(text(memory?.importance));
  const [expires, setExpires] = useState(localTime(memory?.expires_at));
  const [by, setBy] = useState('');
  const [complaint, setComplaint] = useState<string>();
  const { run, busy, error } = useAction(async () => {
    const input = { content, type, importance: importance === '' ? undefined : Number(importance) };
    const expires_at = expires === '' ? undefined : new Date(expires).toISOString();
    if (memory !== undefined && corrects) await request('POST', ...replacing(memory, { ...input, expires_at }));
    else if (memory !== undefined)
      await request('PATCH', path`/v1/memories/${memory.id}`, {
        body: { ...input, importance: input.importance ?? null, expires_at: expires_at ?? null },
      });
    else if (scope.hive_id !== undefined)
      await request('POST', path`/v1/hives/${scope.hive_id}/memories`, { body: { ...input, agent_id: by } });
    else await request('POST', '/v1/memories', { body: { ...input, ...scope, expires_at } });
    onDone();
    return memory === undefined
      ? 'Remembered.'
      : corrects
        ? 'Corrected: what was so before is its history.'
        : 'Changed.';
  });
  return (
    <form
      class="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setComplaint(content.trim() === '' ? 'Say what is to be remembered.' : undefined);
        if (content.trim() !== '') run();
      }}
    >
      <TextField label="Content" value={content} onInput={setContent} rows={4} error={complaint} autoFocus />
      {scope.hive_id !== undefined && memory === undefined && (
        <AgentField
          label="Shared by"
          value={by}
          onInput={setBy}
          hint="A member of the hive: knowledge has an author."
        />
      )}
      <div class="form-row">
        <TextField
          label="Type"
          value={type}
          onInput={setType}
          hint="semantic, episodic, procedural or a name of yours"
        />
        <TextField
          label="Importance"
          type="number"
          min={0}
          max={1}
          step="any"
          value={importance}
          onInput={setImportance}
          hint="0 to 1; empty for none"
        />
      </div>
      {scope.hive_id === undefined && (memory?.hive_id ?? null) === null && (
        <TextField
          label="Expires"
          type="datetime-local"
          value={expires}
          onInput={setExpires}
          hint="In your time zone; empty means never."
        />
      )}
      <Problem error={error} />
      <div class="actions">
        <Button
          kind="primary"
          type="submit"
          busy={busy}
          needs={scope.hive_id === undefined ? 'memory:write' : 'hive:write'}
        >
          {memory === undefined ? 'Remember' : corrects ? 'Correct it' : 'Save'}
        </Button>
      </div>
    </form>
  );
}

/** The request that adds a memory in the place of another: of the same context, about the same. */
function replacing(
  { id, agent_id, hive_id, shared_by, subject, speaker, metadata }: Memory,
  said: object,
): [url: string, options: RequestOptions] {
  const about = {
    ...(subject !== null && { subject }),
    ...(speaker !== null && { speaker }),
    ...(Object.keys(metadata).length > 0 && { metadata }),
    supersedes: id,
  };
  return hive_id === null
    ? ['/v1/memories', { body: { ...said, ...about, ...(agent_id !== null && { agent_id }) } }]
    : [path`/v1/hives/${hive_id}/memories`, { body: { ...said, ...about, agent_id: shared_by ?? agent_id } }];
}

const text = (n: number | null | undefined): string => (n === null || n === undefined ? '' : String(n));

/** As a field of the type datetime-local wants it: in the reader's zone, without naming it. */
function localTime(iso: string | null | undefined): string {
  if (!iso) return '';
  const at = new Date(iso);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}
