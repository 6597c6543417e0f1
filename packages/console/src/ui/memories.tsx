/** Memories of an agent, of a hive or of the whole workspace: found with their scores, added, changed and removed. */
import { useState } from 'preact/hooks';
import { path, request, requestPage, type FoundMemory, type Memory } from '../lib/api.js';
import { plural } from '../lib/format.js';
import { href } from '../lib/router.js';
import { useList, useQuery } from '../lib/use-query.js';
import { AgentLink, HiveLink } from './agent-link.js';
import { Icon } from './icons.js';
import { LongText } from './long-text.js';
import { MemoryForm, type Scope } from './memory-form.js';
import { Button, attempt } from './button.js';
import { Confirm, Dialog } from './dialogs.js';
import { Badge, Relevance, Tag, Time } from './labels.js';
import { List } from './list.js';
import { Empty, Needs, Problem, Skeleton } from './states.js';

export function MemoryPanel({ scope }: { scope: Scope }) {
  return (
    <Needs scope={scope.hive_id === undefined ? 'memory:read' : 'hive:read'}>
      <Memories scope={scope} />
    </Needs>
  );
}

function Memories({ scope }: { scope: Scope }) {
  const [typed, setTyped] = useState('');
  const [query, setQuery] = useState('');
  const [type, setType] = useState('');
  const [adding, setAdding] = useState(false);
  const [round, setRound] = useState(0);
  const changed = (): void => {
    setRound((n) => n + 1);
  };
  return (
    <section class="card flush" aria-label="Memories">
      <div class="card-head">
        <form
          class="filters"
          role="search"
          onSubmit={(event) => {
            event.preventDefault();
            setQuery(typed.trim());
          }}
        >
          <input
            class="input"
            type="search"
            aria-label="Search memories"
            placeholder="When is the launch?"
            value={typed}
            onInput={(event) => {
              setTyped(event.currentTarget.value);
              if (event.currentTarget.value === '') setQuery('');
            }}
          />
          <select
            aria-label="Type"
            value={type}
            onChange={(event) => {
              setType(event.currentTarget.value);
            }}
          >
            <option value="">Any type</option>
            <option value="semantic">Semantic</option>
            <option value="episodic">Episodic</option>
            <option value="procedural">Procedural</option>
          </select>
          <Button type="submit">Search</Button>
        </form>
        <Button
          needs={scope.hive_id === undefined ? 'memory:write' : 'hive:write'}
          onClick={() => {
            setAdding(true);
          }}
        >
          <Icon name="plus" />
          Add
        </Button>
      </div>
      {query === '' ? (
        <AllOf key={round} scope={scope} type={type} onChanged={changed} />
      ) : (
        <Found key={round} scope={scope} type={type} query={query} onChanged={changed} />
      )}
      {adding && (
        <Dialog
          title="Add a memory"
          onClose={() => {
            setAdding(false);
          }}
        >
          <MemoryForm
            scope={scope}
            onDone={() => {
              setAdding(false);
              changed();
            }}
          />
        </Dialog>
      )}
    </section>
  );
}

function AllOf({ scope, type, onChanged }: { scope: Scope; type: string; onChanged: () => void }) {
  const { hive_id, agent_id } = scope;
  const list = useList<Memory>(hive_id === undefined ? '/v1/memories' : path`/v1/hives/${hive_id}/memories`, {
    ...(hive_id === undefined && { agent_id, type }),
  });
  return (
    <List
      list={list}
      noun="memories"
      empty={
        <Empty
          icon="memory"
          title={type === '' ? 'Nothing is remembered here yet' : `Nothing of the type ${type}`}
          command={`curl -X POST ${location.origin}/v1/memories \\
  -H "Authorization: Bearer $KEY" -H "Content-Type: application/json" \\
  -d '${JSON.stringify({ type: 'semantic', content: 'The launch is on 12 May.', ...scope })}'`}
        >
          <p>Agents remember while they run; you can add a memory with the button above, or from a terminal:</p>
        </Empty>
      }
    >
      {(memories) => (
        <ul class="items">
          {memories.map((memory) => (
            <MemoryItem key={memory.id} memory={memory} scope={scope} onChanged={onChanged} />
          ))}
        </ul>
      )}
    </List>
  );
}

function Found({
  scope,
  type,
  query,
  onChanged,
}: {
  scope: Scope;
  type: string;
  query: string;
  onChanged: () => void;
}) {
  const result = useQuery(JSON.stringify([scope, type, query]), (signal) =>
    request<FoundMemory[]>('POST', '/v1/memories/search', {
      body: { query, limit: 50, min_relevance: 0, explain: true, ...scope, ...(type !== '' && { types: [type] }) },
      signal,
    }),
  );
  if (result.error !== null)
    return (
      <div class="inset">
        <Problem error={result.error} retry={result.reload} />
      </div>
    );
  if (result.data === null) return <Skeleton />;
  const hits = result.data.filter(({ relevance }) => relevance > 0);
  return (
    <>
      <p class="inset hint" aria-live="polite">
        {plural(hits.length, 'memory', 'memories')} found, best first
      </p>
      {hits.length === 0 && (
        <Empty icon="recall" title="Nothing says that">
          <p>No memory here shares a word with the question. Other words for it may.</p>
        </Empty>
      )}
      <ul class="items">
        {hits.map((memory) => (
          <MemoryItem key={memory.id} memory={memory} scope={scope} onChanged={onChanged} />
        ))}
      </ul>
    </>
  );
}

function MemoryItem({
  memory,
  scope,
  onChanged,
}: {
  memory: Memory | FoundMemory;
  scope: Scope;
  onChanged: () => void;
}) {
  const [editing, setEditing] = useState<'correct' | 'edit' | null>(null);
  const [removing, setRemoving] = useState(false);
  const [telling, setTelling] = useState(false);
  const url = path`/v1/memories/${memory.id}`;
  const expire = (): void => {
    const { expires_at } = memory;
    attempt(
      request('PATCH', url, { body: { expires_at: new Date(Date.now() + 86_400_000).toISOString() } }).then(onChanged),
      'It is forgotten in a day.',
      () => {
        attempt(request('PATCH', url, { body: { expires_at } }).then(onChanged), 'It stays as it was.');
      },
    );
  };
  return (
    <li>
      <div class="row between top">
        <LongText text={memory.content} />
        {'relevance' in memory && <Relevance value={memory.relevance} />}
      </div>
      <div class="meta">
        <Tag>{memory.type}</Tag>
        {memory.superseded_by !== null && <Badge of="inactive">superseded</Badge>}
        {memory.times_seen > 1 && <span>said {memory.times_seen} times</span>}
        {scope.agent_id === undefined && scope.hive_id === undefined && <Belongs memory={memory} />}
        {memory.shared_by !== null && (
          <span>
            shared by <AgentLink id={memory.shared_by} />
          </span>
        )}
        {memory.speaker !== null && <span>said by {memory.speaker}</span>}
        {memory.subject !== null && <span>about {memory.subject}</span>}
        <Origin memory={memory} />
        <span>
          <Time at={memory.occurred_at} />
        </span>
        {memory.importance !== null && <span>importance {memory.importance}</span>}
        {memory.expires_at !== null && (
          <span class="warn-text">
            expires <Time at={memory.expires_at} />
          </span>
        )}
        {Object.entries(memory.metadata).map(([name, value]) => (
          <span key={name}>
            {name}: {typeof value === 'string' ? value : JSON.stringify(value)}
          </span>
        ))}
        {memory.id.startsWith('mem_') ? (
          <span class="actions end">
            {(memory.superseded_by !== null || memory.supersedes !== null) && (
              <Button
                small
                kind="quiet"
                onClick={() => {
                  setTelling(true);
                }}
              >
                History
              </Button>
            )}
            {memory.superseded_by === null && (
              <Button
                small
                kind="quiet"
                needs={memory.hive_id === null ? 'memory:write' : 'hive:write'}
                onClick={() => {
                  setEditing('correct');
                }}
              >
                Correct
              </Button>
            )}
            <Button
              small
              kind="quiet"
              needs="memory:write"
              onClick={() => {
                setEditing('edit');
              }}
            >
              Edit
            </Button>
            {memory.expires_at === null && (
              <Button small kind="quiet" needs="memory:write" onClick={expire}>
                Expire
              </Button>
            )}
            <Button
              small
              kind="quiet"
              needs="memory:write"
              onClick={() => {
                setRemoving(true);
              }}
            >
              Delete
            </Button>
          </span>
        ) : (
          <Elsewhere of={memory} />
        )}
      </div>
      {'explanation' in memory && memory.explanation !== undefined && (
        <details>
          <summary>Why here</summary>
          <div class="meta">
            <span>score {memory.explanation.score.toFixed(3)}</span>
            {Object.entries(memory.explanation.shares).map(([feature, share]) => (
              <span key={feature}>
                {feature} {share.toFixed(3)}
              </span>
            ))}
          </div>
        </details>
      )}
      {telling && (
        <Dialog
          title="What replaced what"
          onClose={() => {
            setTelling(false);
          }}
        >
          <History url={url} />
        </Dialog>
      )}
      {editing !== null && (
        <Dialog
          title={editing === 'correct' ? 'Correct the fact' : 'Edit the memory'}
          onClose={() => {
            setEditing(null);
          }}
        >
          <p class="hint">
            {editing === 'correct'
              ? 'What you write takes its place from now on. What was so before stays as its history.'
              : 'For typing errors: nothing keeps how it read before. Where the fact has changed, correct it.'}
          </p>
          <MemoryForm
            scope={scope}
            memory={memory}
            corrects={editing === 'correct'}
            onDone={() => {
              setEditing(null);
              onChanged();
            }}
          />
        </Dialog>
      )}
      {removing && (
        <Confirm
          title="Delete this memory?"
          verb="Delete"
          act={async () => {
            await request('DELETE', url);
            onChanged();
            return 'Deleted: it is not found any more.';
          }}
          onClose={() => {
            setRemoving(false);
          }}
        >
          <p>It cannot be brought back.</p>
          <blockquote class="text">{memory.content.slice(0, 300)}</blockquote>
        </Confirm>
      )}
    </li>
  );
}

/** All that replaced one another. */
function History({ url }: { url: string }) {
  const history = useQuery(`${url}/history`, (signal) => requestPage<Memory>(`${url}/history`, {}, signal));
  if (history.data === null)
    return history.error === null ? <Skeleton /> : <Problem error={history.error} retry={history.reload} />;
  return (
    <ol class="stack">
      {history.data.data.map((memory) => (
        <li key={memory.id}>
          <p class="text">{memory.content}</p>
          <div class="meta">
            <span>
              since <Time at={memory.occurred_at} />
            </span>
            {memory.valid_until === null ? (
              <Badge of="active">so it is now</Badge>
            ) : (
              <span>
                until <Time at={memory.valid_until} />
              </span>
            )}
          </div>
        </li>
      ))}
    </ol>
  );
}

/** Where it comes from: the run that wrote it, and the conversation in which it was said. */
function Origin({ memory: { agent_id, source, sessionId } }: { memory: Memory }) {
  const run = source?.startsWith('run_') ? source.split('.')[0] : undefined;
  return (
    <>
      {source !== null &&
        (run !== undefined && agent_id !== null ? (
          <a href={href('agents', agent_id, 'runs', run)} title={source}>
            from a run
          </a>
        ) : (
          <span>from {source}</span>
        ))}
      {sessionId !== null &&
        (agent_id === null ? (
          <span title={sessionId}>of a conversation</span>
        ) : (
          <a href={`${href('agents', agent_id)}?session=${encodeURIComponent(sessionId)}`} title={sessionId}>
            in this conversation
          </a>
        ))}
    </>
  );
}

const Belongs = ({ memory }: { memory: Memory }) => (
  <span>of {memory.hive_id === null ? <AgentLink id={memory.agent_id} /> : <HiveLink id={memory.hive_id} />}</span>
);

/** A mailbox message or a turn of a conversation: it is looked at where it was said, and is no memory to be edited. */
const Elsewhere = ({ of: { id, agent_id } }: { of: Memory }) => (
  <span class="actions end">
    {agent_id !== null &&
      (id.startsWith('run_') ? (
        <a href={href('agents', agent_id, 'runs', id.split('.')[0] ?? id)}>Its run</a>
      ) : (
        <a href={href('agents', agent_id, 'mailbox')}>The mailbox</a>
      ))}
  </span>
);
