/**
 * A direct conversation with an agent: each answer stands beside what was consulted for it, and is told while it is
 * written, whoever has asked. What a run waits for is answered and decided here.
 */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { cancelTask, path, request, type Agent, type MessageReply, type Run, type Schema } from '../../lib/api.js';
import { useTyped } from '../../lib/drafts.js';
import { plural, shortTime } from '../../lib/format.js';
import { place, setFilter } from '../../lib/router.js';
import { useStore } from '../../lib/store.js';
import { useGrowing } from '../../lib/use-query.js';
import { AgentLink } from '../../ui/agent-link.js';
import { attempt, Button } from '../../ui/button.js';
import { Confirm } from '../../ui/dialogs.js';
import { Relevance, Tag } from '../../ui/labels.js';
import { Empty, Problem, Skeleton } from '../../ui/states.js';
import { isAtWork, useConversation } from './conversation.js';
import { Composer } from './composer.js';
import { ExchangeView, Said, Thinking } from './exchange.js';

/** A message that is not yet a turn of the conversation. */
interface Sending {
  /** Its Idempotency-Key: sent again under it, it takes effect once. */
  key: string;
  session: string;
  content: string;
  files: readonly File[];
  /** The question that it answers. */
  answers: { runId: string; id: string } | null;
  /** What becomes of what is at work. */
  onBusy: 'enqueue' | 'steer' | 'interrupt';
  /** The turns that there were. */
  before: ReadonlySet<string>;
  /** The run that has taken it, once that is known. */
  runId: string | null;
  error: unknown;
}

type Consulted = MessageReply['memories_consulted'];

/** Milliseconds after which is looked for the run of a message that has no answer yet. */
const looks = [300, 1000, 2500];

const newSession = (): string => `sess_${crypto.randomUUID().replaceAll('-', '')}`;

async function base64Of(file: File): Promise<string> {
  const url = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => {
      resolve(reader.result as string);
    };
    reader.onerror = () => {
      reject(new Error(`${file.name} cannot be read`));
    };
    reader.readAsDataURL(file);
  });
  return url.slice(url.indexOf(',') + 1);
}

const sent = async (file: File): Promise<object> => ({
  filename: file.name,
  mediaType: file.type === '' ? 'text/plain' : file.type,
  bytes: await base64Of(file),
});

/** Sends a message, or answers the question that it answers, and resolves to the run and what it has consulted. */
async function send(
  agent: string,
  { key, session, content, files, answers, onBusy }: Sending,
): Promise<{ runId: string; consulted: Consulted }> {
  const headers = { 'idempotency-key': key };
  const given = files.length === 0 ? {} : { files: await Promise.all(files.map(sent)) };
  if (answers !== null) {
    await request<Run>('POST', path`/v1/agent-constellations/${agent}/runs/${answers.runId}/resume`, {
      body: { input: content, answers: answers.id, ...given },
      headers,
    });
    return { runId: answers.runId, consulted: [] };
  }
  const reply = await request<MessageReply>('POST', path`/v1/agents/${agent}/message`, {
    body: { content, sessionId: session, ...(onBusy !== 'enqueue' && { on_busy: onBusy }), ...given },
    headers,
  });
  return { runId: reply.run_id, consulted: reply.memories_consulted };
}

export function Chat({ agent }: { agent: Agent }) {
  const url = path`/v1/agents/${agent.id}/sessions`;
  const sessions = useGrowing<Schema<'Session'>>(url, url);
  // a conversation that is begun here has its id from the start, so that no answer gets into another one
  const [fresh, setFresh] = useState(newSession);
  const [kept, keep] = useTyped(`${agent.id} new`);
  const begun = kept === '' ? fresh : kept;
  const chosen = useStore(place).query.get('session');
  const session = chosen ?? sessions.items[0]?.id ?? begun;
  const listed = sessions.items.find(({ id }) => id === session);
  const isListed = listed !== undefined;
  const handedTo = listed?.handed_to ?? null;
  const conversation = useConversation(agent.id, session, chosen !== null || sessions.data !== null);
  const { reload } = conversation;
  const shown = conversation.exchanges ?? [];
  const [sending, setSending] = useState<readonly Sending[]>([]);
  const [consulted, setConsulted] = useState<Readonly<Record<string, Consulted>>>({});
  const [deleting, setDeleting] = useState(false);
  const here = sending.filter((message) => message.session === session && !isTurn(message, shown));
  const isNew = shown.length === 0;
  const [text, setText] = useTyped(`${agent.id} ${session}`);
  const [files, setFiles] = useState<readonly File[]>([]);
  const working = shown.find(({ run }) => isAtWork(run));
  const last = shown.at(-1);
  const asks = here.length === 0 && last?.run?.waitingFor?.kind === 'human' ? last.run : null;
  const scrolled = useFollowing([here.at(-1)?.key, last?.runId, last?.said.length, last?.run?.status].join(' '));

  const reloadSessions = sessions.reload;
  const refresh = useCallback(() => {
    reload();
    if (!isListed) reloadSessions();
  }, [reload, reloadSessions, isListed]);
  const change = (key: string, to: Partial<Sending>): void => {
    setSending((before) => before.map((one) => (one.key === key ? { ...one, ...to } : one)));
  };
  const deliver = async (message: Sending): Promise<void> => {
    setSending((before) => [...before.filter(({ key }) => key !== message.key), { ...message, error: null }]);
    const timers = looks.map((ms) => setTimeout(refresh, ms));
    try {
      const { runId, consulted: memories } = await send(agent.id, message);
      setConsulted((before) => ({ ...before, [runId]: memories }));
      change(message.key, { runId });
      refresh();
      // where only this page knows of the conversation so far
      reloadSessions();
    } catch (error) {
      change(message.key, { error });
    } finally {
      for (const timer of timers) clearTimeout(timer);
    }
  };
  const say = (content: string, of: readonly File[] = [], onBusy: Sending['onBusy'] = 'enqueue'): void => {
    setFilter('session', session);
    void deliver({
      key: crypto.randomUUID(),
      session,
      content,
      files: of,
      answers: asks?.waitingFor ? { runId: asks.id, id: asks.waitingFor.id } : null,
      onBusy,
      before: new Set(shown.flatMap(({ said }) => said.map(({ id }) => id))),
      runId: null,
      error: null,
    });
  };
  const sayTyped = (onBusy?: Sending['onBusy']): void => {
    if (text.trim() === '') return;
    say(text, files, onBusy);
    setText('');
    setFiles([]);
  };
  const beginNew = (): void => {
    const id = newSession();
    setFresh(id);
    keep('');
    setFilter('session', id);
  };
  const thinks = here.some(({ error }) => error === null) || working !== undefined;
  return (
    <section class="card chat-card" aria-label={`Chat with ${agent.name}`}>
      <div class="card-head">
        <select
          aria-label="Conversation"
          value={session}
          onChange={(event) => {
            setFilter('session', event.currentTarget.value);
          }}
        >
          {!isListed && <option value={session}>{isNew ? 'A new conversation' : 'This conversation'}</option>}
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
      {handedTo !== null && (
        <p class="note">
          {agent.name} has handed this conversation over: what is said here is answered by <AgentLink id={handedTo} />.
        </p>
      )}
      <div class="log chat" role="log" tabIndex={0} aria-label="Conversation" ref={scrolled}>
        {conversation.exchanges === null && conversation.error === null && <Skeleton />}
        <Problem error={conversation.error} retry={reload} what="The conversation could not be loaded." />
        {conversation.older !== null && (
          <div class="row">
            <Button small kind="quiet" onClick={conversation.older}>
              Show what was said before
            </Button>
          </div>
        )}
        {conversation.exchanges !== null && isNew && here.length === 0 && (
          <Empty icon="answer" title={`Say something to ${agent.name}`}>
            <p>
              It answers from what it remembers. Try <em>Remember that the launch is on 12 May.</em>, and then{' '}
              <em>When is the launch?</em>
            </p>
          </Empty>
        )}
        {shown.map((exchange) => (
          <ExchangeView
            key={exchange.runId}
            agent={agent}
            exchange={exchange}
            isLast={exchange === last && here.length === 0}
            onChanged={refresh}
            onAgain={say}
            onEdit={setText}
          >
            <ConsultedList of={consulted[exchange.runId] ?? []} />
          </ExchangeView>
        ))}
        {here.map((message) => (
          <div key={message.key} class="turn">
            <Said role="user" content={message.content} />
            {message.files.length > 0 && <p class="hint end">with {plural(message.files.length, 'file')}</p>}
            {message.error === null ? (
              message.onBusy !== 'steer' && <Thinking name={agent.name} />
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
                      if (text === '') setText(message.content);
                    }}
                  >
                    Take it back
                  </Button>
                </div>
              </>
            )}
          </div>
        ))}
      </div>
      <Composer
        label={asks === null ? `Message ${agent.name}` : `Answer ${agent.name}`}
        field={`Message to ${agent.name}`}
        text={text}
        onText={(typed) => {
          setText(typed);
          if (session === begun) keep(begun);
        }}
        files={files}
        onFiles={setFiles}
        busy={thinks}
        onSend={() => {
          if (!thinks) sayTyped();
        }}
        onSteer={working === undefined ? null : sayTyped.bind(null, 'steer')}
        onInterrupt={working === undefined ? null : sayTyped.bind(null, 'interrupt')}
        onStop={
          working === undefined
            ? null
            : () => {
                attempt(cancelTask(agent.id, working.runId).then(refresh), 'Stopped.');
              }
        }
      />
      {deleting && (
        <Confirm
          title="Delete this conversation?"
          verb="Delete"
          act={async () => {
            await request('DELETE', `${url}/${encodeURIComponent(session)}`);
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

/** Whether the conversation has it as a turn: it was not there before, and is of its run, or says the same. */
const isTurn = (
  { before, runId, content }: Sending,
  exchanges: readonly { said: readonly Schema<'Turn'>[] }[],
): boolean =>
  exchanges.some(({ said }) =>
    said.some(
      (turn) =>
        turn.role === 'user' &&
        !before.has(turn.id) &&
        (runId === null ? turn.content.startsWith(content.trim().slice(0, 200)) : turn.runId === runId),
    ),
  );

/** Keeps the end of what is told in view, unless the reader has scrolled back; what is new comes into view. */
function useFollowing(newest: string): (element: HTMLDivElement | null) => void {
  const log = useRef<HTMLDivElement | null>(null);
  const atEnd = useRef(true);
  const toEnd = (): void => {
    if (log.current !== null) log.current.scrollTop = log.current.scrollHeight;
  };
  useEffect(toEnd, [newest]);
  useEffect(() => {
    const element = log.current;
    if (element === null) return;
    const look = (): void => {
      atEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < 80;
    };
    const grown = new MutationObserver(() => {
      if (atEnd.current) toEnd();
    });
    element.addEventListener('scroll', look, { passive: true });
    grown.observe(element, { childList: true, subtree: true, characterData: true });
    return () => {
      element.removeEventListener('scroll', look);
      grown.disconnect();
    };
  }, []);
  return useCallback((element: HTMLDivElement | null) => {
    log.current = element;
  }, []);
}

const ConsultedList = ({ of }: { of: Consulted }) =>
  of.length === 0 ? null : (
    <details class="consulted">
      <summary>Consulted {plural(of.length, 'memory', 'memories')}</summary>
      <ul>
        {of.map(({ id, type, content, relevance }) => (
          <li key={id}>
            <span>
              {content} <Tag>{type}</Tag>
            </span>
            <Relevance value={relevance} />
          </li>
        ))}
      </ul>
    </details>
  );
