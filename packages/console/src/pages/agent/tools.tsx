/** The tools of an agent, each with "Try it": one call, as a run would make it. */
import { useState } from 'preact/hooks';
import { path, request, type Agent, type Schema } from '../../lib/api.js';
import { Button, useAction } from '../../ui/button.js';
import { Dialog } from '../../ui/dialogs.js';
import { Check, SelectField, TextField } from '../../ui/fields.js';
import { Badge, Tag } from '../../ui/labels.js';
import { Empty, Problem } from '../../ui/states.js';
import { jsonObject } from '../../lib/json.js';

type Tool = NonNullable<Agent['config']['tools']>[number];

const what: Readonly<Record<Tool['kind'], string>> = {
  client: 'Whoever starts a run carries it out, so it cannot be called here.',
  http: 'The service calls it by HTTP.',
  mcp: 'A server of the Model Context Protocol, whose tools are called by its name and theirs.',
  a2a: 'An agent elsewhere that is asked by A2A: runs wait for its answer, so it cannot be called here.',
};

type CalledTool = Extract<Tool, { kind: 'http' | 'mcp' }>;
const isCalled = (tool: Tool): tool is CalledTool => tool.kind === 'http' || tool.kind === 'mcp';

/** What is told of a tool, or of some tools of a server, that have an approval of their own. */
function asks(approval: Tool['approval']): string[] {
  const words = { ask: 'waits for approval', never: 'needs no approval' };
  if (approval === undefined) return [];
  if (typeof approval === 'string') return [words[approval]];
  return Object.entries(approval).map(([name, which]) => `${name} ${words[which]}`);
}

export function Tools({ agent }: { agent: Agent }) {
  const [trying, setTrying] = useState<CalledTool | null>(null);
  const tools = agent.config.tools ?? [];
  return (
    <section class="card flush" aria-label="Tools">
      <div class="card-head">
        <h2>Tools</h2>
        <p>What {agent.name} may use beside the built-in tools, if it has a model</p>
      </div>
      {tools.length === 0 ? (
        <Empty icon="action" title="It has no tools of its own">
          <p>They are part of its configuration, as `tools`.</p>
        </Empty>
      ) : (
        <ul class="items">
          {tools.map((tool) => (
            <li key={tool.name}>
              <div class="row between">
                <div class="row">
                  <code>{tool.name}</code>
                  <Tag>{tool.kind}</Tag>
                  {tool.reads_only === true && <Tag>reads only</Tag>}
                  {asks(tool.approval).map((text) => (
                    <Tag key={text}>{text}</Tag>
                  ))}
                </div>
                {isCalled(tool) && (
                  <Button
                    small
                    needs="agent:manage"
                    label={`Try it: ${tool.name}`}
                    onClick={() => {
                      setTrying(tool);
                    }}
                  >
                    Try it
                  </Button>
                )}
              </div>
              {'description' in tool && tool.description !== undefined && tool.description !== '' && (
                <p>{tool.description}</p>
              )}
              <div class="meta">
                <span>{what[tool.kind]}</span>
                {'url' in tool && tool.url !== undefined && <code class="break">{tool.url}</code>}
                {'card' in tool && <code class="break">{tool.card}</code>}
                {'command' in tool && tool.command !== undefined && <code>{tool.command}</code>}
              </div>
            </li>
          ))}
        </ul>
      )}
      {trying !== null && (
        <TryIt
          agent={agent}
          tool={trying}
          onClose={() => {
            setTrying(null);
          }}
        />
      )}
    </section>
  );
}

type Values = Readonly<Record<string, string>>;

interface Argument {
  name: string;
  type: 'string' | 'number' | 'integer' | 'boolean';
  choices: readonly string[] | null;
  required: boolean;
  about: string | undefined;
}

/** The fields of a form for a schema whose properties are plain; null for any other. */
export function fieldsOf(schema: unknown): Argument[] | null {
  const { properties, required = [] } = (schema ?? {}) as { properties?: Record<string, unknown>; required?: string[] };
  if (properties === undefined) return null;
  const fields = Object.entries(properties).map(([name, property]): Argument | null => {
    const { type, enum: choices, description } = property as { type?: unknown; enum?: unknown; description?: string };
    const listed = Array.isArray(choices) && choices.every((one) => typeof one === 'string') ? choices : null;
    const plain = listed ? 'string' : type;
    return plain === 'string' || plain === 'number' || plain === 'integer' || plain === 'boolean'
      ? { name, type: plain, choices: listed, required: required.includes(name), about: description }
      : null;
  });
  return fields.every((field) => field !== null) ? fields : null;
}

/** What is left empty is left out, unless it has to be there. */
function argumentsOf(fields: readonly Argument[], values: Values): Record<string, unknown> {
  return Object.fromEntries(
    fields.flatMap(({ name, type, required }): [string, unknown][] => {
      const text = values[name] ?? '';
      if (type === 'boolean') return text !== '' || required ? [[name, text === 'true']] : [];
      if (text === '' && !(required && type === 'string')) return [];
      return [[name, type === 'string' ? text : Number(text)]];
    }),
  );
}

function TryIt({ agent, tool, onClose }: { agent: Agent; tool: CalledTool; onClose: () => void }) {
  const fields = tool.kind === 'mcp' ? null : fieldsOf(tool.input_schema);
  const [values, setValues] = useState<Values>({});
  const [json, setJson] = useState('{}');
  const [ofServer, setOfServer] = useState(tool.kind === 'mcp' ? (tool.allow?.[0] ?? '') : '');
  const [came, setCame] = useState<Schema<'ToolTry'> | null>(null);
  const given = fields === null ? jsonObject(json) : argumentsOf(fields, values);
  const name = tool.kind === 'mcp' ? `${tool.name}.${ofServer}` : tool.name;
  const { run, busy, error } = useAction(async () => {
    setCame(null);
    const url = path`/v1/agents/${agent.id}/tools/${name}/try`;
    setCame(await request<Schema<'ToolTry'>>('POST', url, { body: { arguments: given } }));
    return null;
  });
  const set = (field: string) => (value: string) => {
    setValues((before) => ({ ...before, [field]: value }));
  };
  return (
    <Dialog title={`Try ${tool.name}`} onClose={onClose}>
      <form
        class="form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (given !== null) run();
        }}
      >
        <p class="hint">One call, as a run would make it. It is real, and the audit log notes it.</p>
        {tool.kind === 'mcp' &&
          (tool.allow ? (
            <SelectField
              label="Tool of the server"
              value={ofServer}
              onChange={setOfServer}
              options={tool.allow.map((one) => [one, one] as const)}
            />
          ) : (
            <TextField label="Tool of the server" value={ofServer} onInput={setOfServer} autocomplete="off" autoFocus />
          ))}
        {fields === null ? (
          <TextField
            label="Arguments"
            value={json}
            onInput={setJson}
            rows={5}
            error={given === null ? 'Must be a JSON object.' : undefined}
            hint="An object of JSON."
          />
        ) : (
          fields.map(({ name: field, type, choices, required, about }) =>
            choices !== null ? (
              <SelectField
                key={field}
                label={field}
                value={values[field] ?? ''}
                onChange={set(field)}
                options={[['', required ? 'choose' : 'none'], ...choices.map((one) => [one, one] as const)]}
                hint={about}
              />
            ) : type === 'boolean' ? (
              <Check
                key={field}
                checked={values[field] === 'true'}
                onChange={(on) => {
                  set(field)(String(on));
                }}
                label={field}
                {...(about !== undefined && { hint: about })}
              />
            ) : (
              <TextField
                key={field}
                label={required ? field : `${field} (optional)`}
                type={type === 'string' ? 'text' : 'number'}
                {...(type === 'number' && { step: 'any' as const })}
                value={values[field] ?? ''}
                onInput={set(field)}
                autocomplete="off"
                hint={about}
              />
            ),
          )
        )}
        <Problem error={error} />
        {came !== null && (
          <div class="call" role="status">
            <div class="row between">
              <code>{name}</code>
              <Badge of={came.ok ? 'completed' : 'failed'}>{came.ok ? 'done' : 'not done'}</Badge>
            </div>
            <p class={came.ok ? 'text' : 'bad-text'}>{came.result}</p>
            <p class="hint">It took {came.ms} ms.</p>
          </div>
        )}
        <div class="actions">
          <Button onClick={onClose}>Close</Button>
          <Button kind="primary" type="submit" needs="agent:manage" busy={busy}>
            Call it
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
