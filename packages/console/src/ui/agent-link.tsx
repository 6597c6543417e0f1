/** Agents and hives by name: links to them, and a field that finds one among thousands. */
import { useEffect, useId, useState } from 'preact/hooks';
import { requestPage, type Agent } from '../lib/api.js';
import { noteNames, useName } from '../lib/names.js';
import { href } from '../lib/router.js';
import { Field } from './fields.js';

export function AgentLink({ id }: { id: string | null }) {
  const name = useName(id ?? '');
  if (id === null) return <span>the workspace</span>;
  if (!id.startsWith('agent_')) return <span>{id === 'external' ? 'a client' : id}</span>;
  return (
    <a class="agent-link" href={href('agents', id)} title={`${name} (${id})`}>
      {name}
    </a>
  );
}

export function HiveLink({ id }: { id: string }) {
  const name = useName(id);
  return (
    <a class="agent-link" href={href('hives', id)} title={`${name} (${id})`}>
      {name}
    </a>
  );
}

/** Suggests agents by the beginning of their name; the value is an id, typed or chosen. */
export function AgentField({
  label,
  value,
  onInput,
  hint,
  error,
  placeholder,
}: {
  label: string;
  value: string;
  onInput: (id: string) => void;
  hint?: string;
  error?: string | undefined;
  placeholder?: string;
}) {
  const [found, setFound] = useState<readonly Agent[]>([]);
  const listId = useId();
  useEffect(() => {
    const controller = new AbortController();
    const timer = setTimeout(() => {
      requestPage<Agent>(
        '/v1/agents',
        { page_size: 20, ...(!value.startsWith('agent_') && { name: value }) },
        controller.signal,
      ).then(
        ({ data }) => {
          noteNames(data);
          setFound(data);
        },
        () => undefined, // suggestions only: whoever knows the id types it
      );
    }, 200);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [value]);
  return (
    <Field
      label={label}
      hint={hint ?? (placeholder === undefined ? 'Type a name and choose, or paste an id.' : undefined)}
      error={error}
    >
      {(attributes) => (
        <>
          <input
            {...attributes}
            class="input"
            list={listId}
            value={value}
            autocomplete="off"
            placeholder={placeholder}
            onInput={(event) => {
              onInput(event.currentTarget.value);
            }}
          />
          <datalist id={listId}>
            {found.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </datalist>
        </>
      )}
    </Field>
  );
}
