/** A direct conversation with an agent: each answer stands beside what was consulted for it. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { path, request, requestPage, type Agent, type MessageReply, type Run, type Schema } from '../../lib/api.js';
import { plural, shortTime } from '../../lib/format.js';
import { href } from '../../lib/router.js';
import { useQuery } from '../../lib/use-query.js';
import { Badge, Button, Confirm, Empty, Problem, Relevance, Skeleton, Tag, Time, useAction } from '../../ui/parts.js';

interface Turn {
  runId: string | null;
  at: string;
  said: string;
  reply: string | null;
  status: Run['status'];
  problem: string | null;
  question: string | null;
  /** Known for what was asked on this page; of an earlier turn, its run shows the recalls. */
  consulted: MessageReply['memories_consulted'] | null;
}

/** The turns of a session by their run: what was said and what was answered. */
function byRun(turns: readonly Schema<'Turn'>[]): readonly Turn[] {
  const runs = new Map<string, Turn>();
  for (const { runId, role, content, created_at } of turns) {
    const turn = runs.get(runId) ?? {
      runId,
      at: created_at,
      said: '',
      reply: null,
      status: 'completed',
      problem: null,
      question: null,
      consulted: null,
    };
    runs.set(runId, role === 'user' ? { ...turn, said: content } : { ...turn, reply: content, at: created_at });
  }
  return [...runs.values()];
}

/** What became of runs that have not answered, for the newest of them. */
async function withOutcomes(agent: string, turns: readonly Turn[], signal: AbortSignal): Promise<readonly Turn[]> {
  const open = turns.filter(({ reply, runId }) => reply === null && runId !== null).slice(-5);
  const runs = await Promise.all(
    open.map(({ runId }) =>
      request<Run>('GET', path`/v1/agent-constellations/${agent}/runs/${runId ?? ''}`, { signal }),
    ),
  );
  return turns.map((turn) => {
    const run = runs.find(({ id }) => id === turn.runId);
    return run === undefined
      ? turn
      : {
          ...turn,
          status: run.status,
          problem: run.error?.message ?? null,
          question: run.waitingFor?.question ?? null,
        };
  });
}

const none = '';

export function Chat({ agent }: { agent: Agent }) {
  const url = path`/v1/agents/${agent.id}/sessions`;
  const sessions = useQuery(url, (signal) => requestPage<Schema<'Session'>>(url, { page_size: 50 }, signal), {
    keep: true,
  });
  const [chosen, setChosen] = useState<string | null>(null);
  const session = chosen ?? sessions.data?.data[0]?.id ?? none;
  const earlier = useQuery(
    `turns ${agent.id} ${session}`,
    async (signal) => {
      if (session === none) return [];
      const turns = `${url}/${encodeURIComponent(session)}/turns`;
      const page = await requestPage<Schema<'Turn'>>(turns, { page_size: 100 }, signal);
      return withOutcomes(agent.id, byRun(page.data.reverse()), signal);
    },
    { when: sessions.data !== null, keep: true },
  );
  const [turns, setTurns] = useState<readonly Turn[]>([]);
  const [deleting, setDeleting] = useState(false);
  const choose = (id: string): void => {
    setTurns([]);
    setChosen(id);
  };
  const [waiting, setWaiting] = useState<string | null>(null);
  const [text, setText] = useState('');
  const end = useRef<HTMLDivElement>(null);
  const shown = [...(earlier.data ?? []).filter(({ runId }) => !turns.some((turn) => turn.runId === runId)), ...turns];
  useEffect(() => {
    end.current?.scrollIntoView({ block: 'nearest' });
  }, [shown.length, waiting]);
  const { run, busy, error } = useAction(async (content: string) => {
    setWaiting(content);
    try {
      const reply = await request<MessageReply>('POST', path`/v1/agents/${agent.id}/message`, {
        body: { content, ...(session !== none && { sessionId: session }) },
        // the same message again, after a lost connection, is answered once
        headers: { 'Idempotency-Key': crypto.randomUUID() },
      });
      setText('');
      setTurns((before) => [...before, ofReply(content, reply)]);
      setChosen(reply.sessionId);
      sessions.reload();
    } finally {
      setWaiting(null);
    }
    return null;
  });
  const send = (): void => {
    if (text.trim() !== '') run(text);
  };
  return (
    <section class="card chat-card" aria-label={`Chat with ${agent.name}`}>
      <div class="card-head">
        <select
          aria-label="Conversation"
          value={session}
          onChange={(event) => {
            choose(event.currentTarget.value);
          }}
        >
          <option value={none}>A new conversation</option>
          {(sessions.data?.data ?? []).map(({ id, opening, updated_at }) => (
            <option key={id} value={id}>
              {shortTime(updated_at)} · {opening.slice(0, 60)}
            </option>
          ))}
        </select>
        {session !== none && (
          <div class="actions">
            <Button
              small
              kind="quiet"
              onClick={() => {
                choose(none);
              }}
            >
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
          </div>
        )}
      </div>
      <div class="log chat" role="log" tabIndex={0} aria-label="Conversation">
        {earlier.data === null && earlier.error === null && <Skeleton />}
        <Problem error={earlier.error} retry={earlier.reload} what="The earlier conversation could not be loaded." />
        {earlier.data !== null && shown.length === 0 && waiting === null && (
          <Empty icon="answer" title={`Say something to ${agent.name}`}>
            <p>
              It answers from what it remembers. Try <em>Remember that the launch is on 12 May.</em>, and then{' '}
              <em>When is the launch?</em>
            </p>
          </Empty>
        )}
        {shown.map((turn) => (
          <TurnView key={turn.runId ?? turn.at} agent={agent} turn={turn} />
        ))}
        {waiting !== null && (
          <div class="turn">
            <p class="bubble mine">{waiting}</p>
            <p class="bubble theirs thinking" aria-label={`${agent.name} is thinking`}>
              <i />
              <i />
              <i />
            </p>
          </div>
        )}
        <div ref={end} />
      </div>
      <Problem error={error} what="Your message was not answered." />
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
        <Button kind="primary" type="submit" busy={busy} needs="agent:spawn">
          {busy ? 'Thinking…' : 'Send'}
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
            choose(none);
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

const ofReply = (said: string, reply: MessageReply): Turn => ({
  runId: reply.run_id,
  at: new Date().toISOString(),
  said,
  reply: reply.response,
  status: reply.status,
  problem: reply.error?.message ?? null,
  question: reply.waitingFor?.question ?? null,
  consulted: reply.memories_consulted,
});

function TurnView({ agent, turn }: { agent: Agent; turn: Turn }) {
  const { runId, at, said, reply, status, problem, question, consulted } = turn;
  return (
    <div class="turn">
      <p class="bubble mine">{said}</p>
      {reply !== null && <p class="bubble theirs">{reply}</p>}
      {reply === null && (
        <p class="bubble theirs pending">
          {question ?? problem ?? (status === 'cancelled' ? 'Cancelled before it answered.' : 'It is still at work.')}
        </p>
      )}
      <div class="meta">
        <Time at={at} />
        {status !== 'completed' && <Badge of={status} />}
        {runId !== null && (
          <a href={href('agents', agent.id, 'runs', runId)}>{status === 'paused' ? 'Decide' : 'How it came to this'}</a>
        )}
      </div>
      {consulted !== null && consulted.length > 0 && (
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
