/** A direct conversation with an agent: each answer stands beside what was consulted for it. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { path, request, type Agent, type MessageReply, type Run, type Schema } from '../../lib/api.js';
import { plural, shortTime } from '../../lib/format.js';
import { href } from '../../lib/router.js';
import { useGrowing } from '../../lib/use-query.js';
import { Button } from '../../ui/button.js';
import { Confirm } from '../../ui/dialogs.js';
import { Badge, Relevance, Tag, Time } from '../../ui/labels.js';
import { Empty, Problem, Skeleton } from '../../ui/states.js';

/** What was said in one run, in order. */
interface Exchange {
  runId: string;
  at: string;
  said: readonly { role: 'user' | 'agent'; content: string }[];
  /** Whether the run has given its answer; until then `status`, `problem` and `question` say what became of it. */
  answered: boolean;
  status: Run['status'];
  problem: string | null;
  question: string | null;
  /** Known for what was asked on this page; of an earlier exchange, its run shows the recalls. */
  consulted: MessageReply['memories_consulted'];
}

/** A message that has no answer yet. */
interface Sending {
  /** Its Idempotency-Key: sent again under it, it takes effect once. */
  key: string;
  session: string;
  content: string;
  error: unknown;
}

/** The turns of a session, newest first, as the exchanges of its runs, oldest first. */
function exchangesOf(turns: readonly Schema<'Turn'>[]): readonly Exchange[] {
  const runs = new Map<string, Exchange>();
  for (const { id, runId, role, content, created_at } of turns.toReversed()) {
    const before = runs.get(runId);
    runs.set(runId, {
      runId,
      at: created_at,
      said: [...(before?.said ?? []), { role, content }],
      answered: id === `${runId}.output`,
      status: 'completed',
      problem: null,
      question: null,
      consulted: [],
    });
  }
  return [...runs.values()];
}

/** What became of the newest runs that have not answered. */
async function withOutcomes(
  agent: string,
  exchanges: readonly Exchange[],
  signal: AbortSignal,
): Promise<readonly Exchange[]> {
  const open = exchanges.filter(({ answered }) => !answered).slice(-5);
  const runs = await Promise.all(
    open.map(({ runId }) => request<Run>('GET', path`/v1/agent-constellations/${agent}/runs/${runId}`, { signal })),
  );
  return exchanges.map((exchange) => {
    const run = runs.find(({ id }) => id === exchange.runId);
    return run === undefined
      ? exchange
      : {
          ...exchange,
          status: run.status,
          problem: run.error?.message ?? null,
          question: run.waitingFor?.question ?? null,
        };
  });
}

const ofReply = (content: string, reply: MessageReply): Exchange => ({
  runId: reply.run_id,
  at: new Date().toISOString(),
  said: [
    { role: 'user', content },
    ...(reply.response === null ? [] : [{ role: 'agent' as const, content: reply.response }]),
  ],
  answered: reply.response !== null,
  status: reply.status,
  problem: reply.error?.message ?? null,
  question: reply.waitingFor?.question ?? null,
  consulted: reply.memories_consulted,
});

const newSession = (): string => `sess_${crypto.randomUUID().replaceAll('-', '')}`;

export function Chat({ agent }: { agent: Agent }) {
  const url = path`/v1/agents/${agent.id}/sessions`;
  const sessions = useGrowing<Schema<'Session'>>(url, url);
  // a conversation that is begun here has its id from the start, so that no answer gets into another one
  const [begun, setBegun] = useState(newSession);
  const [chosen, setChosen] = useState<string | null>(null);
  const session = chosen ?? sessions.items[0]?.id ?? begun;
  const isStored = sessions.items.some(({ id }) => id === session);
  const turnsUrl = `${url}/${encodeURIComponent(session)}/turns`;
  const earlier = useGrowing<Schema<'Turn'>, readonly Exchange[]>(`turns ${agent.id} ${session}`, turnsUrl, {
    when: isStored,
    read: (turns, signal) => withOutcomes(agent.id, exchangesOf(turns), signal),
  });
  const [answered, setAnswered] = useState<readonly (Exchange & { session: string })[]>([]);
  const [sending, setSending] = useState<readonly Sending[]>([]);
  const [deleting, setDeleting] = useState(false);
  const [text, setText] = useState('');
  const end = useRef<HTMLDivElement>(null);
  const here = sending.filter((message) => message.session === session);
  const recent = answered.filter((exchange) => exchange.session === session);
  const shown = [
    ...(earlier.data ?? []).filter(({ runId }) => !recent.some((exchange) => exchange.runId === runId)),
    ...recent,
  ];
  const last = here.at(-1)?.key ?? shown.at(-1)?.runId;
  useEffect(() => {
    end.current?.scrollIntoView({ block: 'nearest' });
  }, [last]);
  const beginNew = (): void => {
    const id = newSession();
    setBegun(id);
    setChosen(id);
  };
  const deliver = async (message: Sending): Promise<void> => {
    const { key, content } = message;
    setSending((before) => [...before.filter((one) => one.key !== key), { ...message, error: null }]);
    try {
      const reply = await request<MessageReply>('POST', path`/v1/agents/${agent.id}/message`, {
        body: { content, sessionId: message.session },
        headers: { 'idempotency-key': key },
      });
      setAnswered((before) => {
        const one = ofReply(content, reply);
        // what answers a question belongs to the exchange that asked it
        const asked = [...(earlier.data ?? []), ...before].findLast(({ runId }) => runId === one.runId);
        const question = asked?.question == null ? [] : [{ role: 'agent' as const, content: asked.question }];
        const said = asked ? [...asked.said, ...question, ...one.said] : one.said;
        return [...before.filter(({ runId }) => runId !== one.runId), { ...one, said, session: message.session }];
      });
      setSending((before) => before.filter((one) => one.key !== key));
      sessions.reload();
    } catch (error) {
      setSending((before) => before.map((one) => (one.key === key ? { ...one, error } : one)));
    }
  };
  const thinks = here.some(({ error }) => error === null);
  const send = (): void => {
    if (text.trim() === '' || thinks) return;
    setText('');
    setChosen(session);
    void deliver({ key: crypto.randomUUID(), session, content: text, error: null });
  };
  const isNew = !isStored && recent.length === 0;
  return (
    <section class="card chat-card" aria-label={`Chat with ${agent.name}`}>
      <div class="card-head">
        <select
          aria-label="Conversation"
          value={session}
          onChange={(event) => {
            setChosen(event.currentTarget.value);
          }}
        >
          {!isStored && <option value={session}>{isNew ? 'A new conversation' : 'This conversation'}</option>}
          {sessions.items.map(({ id, opening, updated_at }) => (
            <option key={id} value={id}>
              {shortTime(updated_at)} · {opening.slice(0, 60)}
            </option>
          ))}
        </select>
        <div class="actions">
          {sessions.older !== null && (
            <Button small kind="quiet" onClick={sessions.older}>
              Older conversations
            </Button>
          )}
          {!isNew && (
            <>
              <Button small kind="quiet" onClick={beginNew}>
                Begin a new one
              </Button>
              <Button
                small
                kind="quiet"
                needs="agent:manage"
                onClick={() => {
                  setDeleting(true);
                }}
              >
                Delete…
              </Button>
            </>
          )}
        </div>
      </div>
      <div class="log chat" role="log" tabIndex={0} aria-label="Conversation">
        {isStored && earlier.data === null && earlier.error === null && <Skeleton />}
        <Problem error={earlier.error} retry={earlier.reload} what="The earlier conversation could not be loaded." />
        {earlier.older !== null && (
          <div class="row">
            <Button small kind="quiet" onClick={earlier.older}>
              Show what was said before
            </Button>
          </div>
        )}
        {isNew && here.length === 0 && (
          <Empty icon="answer" title={`Say something to ${agent.name}`}>
            <p>
              It answers from what it remembers. Try <em>Remember that the launch is on 12 May.</em>, and then{' '}
              <em>When is the launch?</em>
            </p>
          </Empty>
        )}
        {shown.map((exchange) => (
          <ExchangeView key={exchange.runId} agent={agent} exchange={exchange} />
        ))}
        {here.map((message) => (
          <div key={message.key} class="turn">
            <p class="bubble mine">{message.content}</p>
            {message.error === null ? (
              <p class="bubble theirs thinking" aria-label={`${agent.name} is thinking`}>
                <i />
                <i />
                <i />
              </p>
            ) : (
              <>
                <Problem error={message.error} what="This message was not answered." />
                <div class="actions">
                  <Button
                    small
                    onClick={() => {
                      void deliver(message);
                    }}
                  >
                    Send it again
                  </Button>
                  <Button
                    small
                    kind="quiet"
                    onClick={() => {
                      setSending((before) => before.filter(({ key }) => key !== message.key));
                      setText((typed) => (typed === '' ? message.content : typed));
                    }}
                  >
                    Take it back
                  </Button>
                </div>
              </>
            )}
          </div>
        ))}
        <div ref={end} />
      </div>
      <form
        class="composer"
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <textarea
          aria-label={`Message to ${agent.name}`}
          placeholder={`Message ${agent.name}`}
          rows={2}
          value={text}
          onInput={(event) => {
            setText(event.currentTarget.value);
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
            event.preventDefault();
            send();
          }}
        />
        <Button kind="primary" type="submit" busy={thinks} needs="agent:spawn">
          {thinks ? 'Thinking…' : 'Send'}
        </Button>
      </form>
      <div class="row between hint">
        <span>Enter sends, Shift and Enter begin a new line.</span>
      </div>
      {deleting && (
        <Confirm
          title="Delete this conversation?"
          verb="Delete"
          act={async () => {
            await request('DELETE', `${url}/${encodeURIComponent(session)}`);
            setAnswered((before) => before.filter((exchange) => exchange.session !== session));
            beginNew();
            sessions.reload();
            return 'The conversation is gone.';
          }}
          onClose={() => {
            setDeleting(false);
          }}
        >
          <p>With it go its runs, and the memories that belong to it. {agent.name} cannot recall it any more.</p>
        </Confirm>
      )}
    </section>
  );
}

function ExchangeView({ agent, exchange }: { agent: Agent; exchange: Exchange }) {
  const { runId, at, said, answered, status, problem, question, consulted } = exchange;
  const pending =
    question ?? problem ?? (status === 'cancelled' ? 'Cancelled before it answered.' : 'It is still at work.');
  return (
    <div class="turn">
      {said.map(({ role, content }, n) => (
        <p key={n} class={`bubble ${role === 'user' ? 'mine' : 'theirs'}`}>
          {content}
        </p>
      ))}
      {!answered && said.at(-1)?.content !== pending && <p class="bubble theirs pending">{pending}</p>}
      <div class="meta">
        <Time at={at} />
        {status !== 'completed' && <Badge of={status} />}
        <a href={href('agents', agent.id, 'runs', runId)}>{status === 'paused' ? 'Decide' : 'How it came to this'}</a>
      </div>
      {consulted.length > 0 && (
        <details class="consulted">
          <summary>Consulted {plural(consulted.length, 'memory', 'memories')}</summary>
          <ul>
            {consulted.map(({ id, type, content, relevance }) => (
              <li key={id}>
                <span>
                  {content} <Tag>{type}</Tag>
                </span>
                <Relevance value={relevance} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}
