/**
 * Conversations: what is said to an agent and what it answers, as the turns of a session. The turns are derived from
 * the runs, which store the texts, so nothing is stored twice and a turn lives as long as its run.
 *
 *  Conversation.V1 A turn is found by recall from the commit that ends its run on, until the run is deleted. Recall
 *     finds the turns of the agent's own conversations only, and none while `config.memory.conversation` is off.
 *  Conversation.V2 A turn that only asks, or from which the run has made memories, is an aside: it helps to find its
 *     neighbours, and is itself found only by a search that asks for conversations. What was made of it is found
 *     instead, so a memory that was deleted or replaced does not come back as the turn that it was made from.
 *  Conversation.V3 What a reasoner is given of its session is bounded by `config.memory.context_tokens`,
 *     however long the session is. The turns that fit are whole, and only every now and then are the oldest of them
 *     left out, several at once, so that what a model is sent begins as it did the turn before.
 *  Conversation.V4 The turns of a session keep what the tools of the agent returned, the newest of it within
 *     `mostResults`, so that the next question can be about it. Recall does not find it.
 *  Conversation.V5 What is said in a session in which exactly one run waits for a human is the answer to that, and
 *     begins no other run.
 *  Conversation.V6 A reasoner is given what was said in all runs of the session that were created before its own, in the
 *     order of their creation, but for those that are pending or running: also in one that was cancelled, has failed or
 *     waits for a human, which it is told. Whether the agent was in memory makes no difference.
 */
import {
  type LiveRun,
  type RecalledTurns,
  type RunRecord,
  type SaidTurn,
  type SessionState,
  type SessionTurns,
  type WaitingRun,
  bounds,
} from '../agent/agent-state.js';
import { type AgentConfig, asksModel } from '../agent/agent-config.js';
import { firstBytes } from '../shared/bounded.js';
import type { Session, ToolOutcome, Turn } from '../model/model.js';
import { type FileType, type RemarkOf, type ToolName, imageTypes } from '../shared/vocabulary.js';
import { plainText, textOf } from '../task/task.js';
import type { AgentDraft } from '../agent/agent-draft.js';
import { HivekeepError, invalid } from '../shared/errors.js';
import type { RunFile } from './records.js';
import { sizeOf } from '../workspace/usage.js';

/** The types under which recall knows turns. No memory can have the second, because types have no spaces. */
export const turnType = 'conversation';
export const asideType = 'conversation (aside)';

export const inputTurnId = (run: string): string => `${run}.input`;
export const outputTurnId = (run: string): string => `${run}.output`;
/**
 * What was said while the run was paused, from 1. The ids of a run's turns sort in the order in which they were said.
 */
const replyTurnId = (run: string, n: number): string => `${run}.message${String(n).padStart(2, '0')}`;
/** Every id that a turn may have of a run with at most so many messages beyond the first. */
export const turnIdsOf = (run: string, messages: number = bounds.dialog): string[] => {
  const ids = [inputTurnId(run), outputTurnId(run)];
  for (let n = 1; n <= messages; n++) ids.push(replyTurnId(run, n));
  return ids;
};
/** The run that a turn belongs to; empty for the id of anything else. */
export const runOfTurn = (turn: string): string => turn.slice(0, Math.max(0, turn.indexOf('.')));

type MemoryConfig = AgentConfig['memory'];

const dayMs = 24 * 3600_000;
const defaultContextTokens = 8000;
/** A token is about four bytes of English. */
export const bytesOfToken = 4;
/** How many tokens a text has, by that estimate. */
export const tokensOf = (text: string): number => Math.ceil(Buffer.byteLength(text) / bytesOfToken);
/** The built-in reasoner looks back no further. */
const forBuiltIn = { turns: 12, bytes: 8192, runs: 12 };
const forModels = { turns: 400, runs: 200 };

/** How much a reasoner is given of its session, and how many runs are read for that. */
export const turnBudget = (config: AgentConfig): { turns: number; bytes: number; runs: number } => {
  const bytes = bytesOfToken * (config.memory?.context_tokens ?? defaultContextTokens);
  return asksModel(config) ? { ...forModels, bytes } : { ...forBuiltIn, bytes: Math.min(bytes, forBuiltIn.bytes) };
};

/** Turns are recalled that were said at this time or later, in ms; undefined means all of them. */
export function recalledSince(config: MemoryConfig, now: number): number | undefined {
  const kept = config?.conversation ?? 'on';
  if (kept === 'on') return undefined;
  return kept === 'off' ? Number.MAX_SAFE_INTEGER : now - kept * dayMs;
}

/** A run that a mailbox message started is not part of any: mail is kept as mail. */
export const isConversation = (run: Pick<RunRecord, 'triggeredBy' | 'passing'>): boolean =>
  run.triggeredBy !== 'message' && run.passing !== true;

/** What the input of a run says itself, without the data that came with it. */
export const saidBy = ({ input, said = input }: Pick<RunRecord, 'input' | 'said'>): string => said;

/** The id of a turn that was said before the run, from 0; such ids sort before those of its own turns. */
const earlierTurnId = (run: string, n: number): string => `${run}.earlier${String(n).padStart(4, '0')}`;

/** All turns of a run, oldest first, with those that its client has told of the time before it. */
export function turnsOf(run: RunRecord): Turn[] {
  const own = ownTurnsOf(run);
  if (run.earlier === undefined) return own;
  const earlier = run.earlier.map(({ role, content }, n): Turn => ({
    id: earlierTurnId(run.id, n),
    agent_id: run.agent_id,
    runId: run.id,
    sessionId: run.sessionId,
    role,
    content,
    created_at: run.created_at,
  }));
  return [...earlier, ...own];
}

/** What became of a run, for the last of what was said in it; undefined if it has answered or goes on. */
const becameOf = ({ status, output }: RunRecord): Turn['became'] | undefined => {
  if (status === 'completed' || status === 'pending' || status === 'running') return undefined;
  if (status === 'paused') return 'waiting';
  return status === 'cancelled' ? (output === null ? 'cancelled' : 'interrupted') : 'failed';
};

/** All turns of a run as they are shown: the last says what became of it, if it has not answered. */
export function shownTurns(run: RunRecord): Turn[] {
  const turns = turnsOf(run);
  const last = turns.at(-1);
  const became = becameOf(run);
  return last && became ? [...turns.slice(0, -1), { ...last, became }] : turns;
}

/** The turns that were said in a run, oldest first. */
export function ownTurnsOf(run: RunRecord): Turn[] {
  if (!isConversation(run)) return [];
  const turn = (id: string, role: Turn['role'], content: string, created_at: string): Turn => ({
    id,
    agent_id: run.agent_id,
    runId: run.id,
    sessionId: run.sessionId,
    role,
    content,
    created_at,
  });
  const turns: Turn[] = [];
  // a fork repeats the input of the run that it continues
  if (run.forkedFrom === null) turns.push(turn(inputTurnId(run.id), 'user', run.input, run.created_at));
  for (const [i, said] of (run.messages ?? []).slice(1).entries()) {
    const parts = said.parts ?? [];
    turns.push(turn(replyTurnId(run.id, i + 1), said.role, plainText(parts) ?? textOf(parts), run.updated_at));
  }
  if (run.output !== null && run.output.trim() !== '')
    turns.push(turn(outputTurnId(run.id), 'agent', run.output, run.ended_at ?? run.updated_at));
  return turns;
}

/** `first` and `last` are the run that opened the session and the newest of its runs. */
export const showSession = (first: RunRecord, last: RunRecord): Session => ({
  id: first.sessionId,
  agent_id: first.agent_id,
  opening: (saidBy(first) || first.input).slice(0, 200).toWellFormed(),
  created_at: first.created_at,
  updated_at: turnsOf(last).at(-1)?.created_at ?? last.created_at,
  handed_to: last.handed?.agent_id ?? null,
});

/** Tools that neither write nor withdraw a memory. */
const passing: ReadonlySet<ToolName> = new Set([
  'recall',
  'answer',
  'ask_agent',
  'hand_off',
  'spawn_agent',
  'ask_human',
  'send_message',
  'use_tool',
]);
export const changesMemory = (tool: ToolName): boolean => !passing.has(tool);

/**
 * What recall is to find of a run that has ended; undefined if nothing. The built-in reasoner's answers quote memories
 * and say nothing of their own, so they are left out, and without them questions have no neighbours to help. What it
 * was told to remember has: "No, on Friday" may follow on it.
 */
export function recalledTurns(run: RunRecord, config: AgentConfig, remarkOf: RemarkOf): RecalledTurns | undefined {
  if (!isConversation(run) || config.memory?.conversation === 'off') return undefined;
  const byModel = asksModel(config);
  const remark = remarkOf(saidBy(run));
  const aside = run.noted === true || remark === 'aside';
  const turns: RecalledTurns = {};
  if (run.forkedFrom === null && remark !== 'nothing' && (byModel || remark === 'tells'))
    turns.input = aside ? asideType : turnType;
  if (byModel && run.output !== null && run.output.trim() !== '') turns.output = turnType;
  if ((run.messages?.length ?? 0) > 1) turns.replies = run.noted === true ? asideType : turnType;
  return turns.input || turns.output || turns.replies ? turns : undefined;
}

/** The turns of a run that recall finds, each with its type. */
export function typedTurns(run: RunRecord, remarkOf: RemarkOf): { turn: Turn; type: string }[] {
  const { input, output, replies } = run.turns ?? {};
  return ownTurnsOf(run).flatMap((turn) => {
    const type =
      turn.id === inputTurnId(run.id)
        ? input
        : turn.id === outputTurnId(run.id)
          ? output
          : replyType(turn, replies, remarkOf);
    return type === undefined ? [] : [{ turn, type }];
  });
}

/** A question that a run has put, and a reply that only asks, help to find the turns beside them. */
function replyType({ role, content }: Turn, type: RecalledTurns['replies'], remarkOf: RemarkOf): string | undefined {
  if (type === undefined || role === 'agent') return type && asideType;
  const remark = remarkOf(content);
  return remark === 'nothing' ? undefined : remark === 'aside' ? asideType : type;
}

/** Whether recall will find an input by itself, unless the run makes memories of it. */
export const isRecalled = (input: string, config: AgentConfig, remarkOf: RemarkOf): boolean =>
  config.memory?.conversation !== 'off' && remarkOf(input) === 'tells';

export const noSessions: SessionTurns = new Map();
/** Of the sessions in use, this many are kept in memory, or fewer if they are long. */
const mostSessions = 32;
const mostCharacters = 512 * 1024;

/**
 * How much of the budget is left where it is full. A model's server reads anew what follows on the oldest turn whenever
 * that changes, so it changes seldom.
 */
const keptWhenFull = 0.5;

/**
 * The last of the turns, as many as the budget allows, oldest first (Conversation.V3). Of a turn that is longer than
 * the budget by itself only the beginning is left.
 */
export function lastTurns(turns: readonly SaidTurn[], config: AgentConfig): readonly SaidTurn[] {
  const { turns: most, bytes } = turnBudget(config);
  const sizes = turns.map(({ content, results }) => Buffer.byteLength(content) + sizeOfResults(results));
  if (turns.length <= most && sizes.reduce((sum, size) => sum + size, 0) <= bytes) return turns;
  const last = turns.at(-1);
  if (!last || bytes === 0) return [];
  const content = firstBytes(last.content, bytes);
  let left = (asksModel(config) ? keptWhenFull : 1) * bytes - Buffer.byteLength(content);
  let from = turns.length - 1;
  while (from > Math.max(0, turns.length - most) && (sizes[from - 1] ?? 0) <= left) left -= sizes[--from] ?? 0;
  const newest = content === last.content ? last : { ...last, content: `${content}…` };
  return [...turns.slice(from, -1), newest];
}

/**
 * What was said in a run, as reasoners of later runs are told it: with the question that it waits with, and with what
 * became of it, if it has not answered (Conversation.V6).
 */
export function ownSaidTurns(run: RunRecord): SaidTurn[] {
  const turns = ownTurnsOf(run).map(({ id, role, content, created_at: at }): SaidTurn => {
    const results = id === outputTurnId(run.id) ? run.results : undefined;
    return { id, role, content, at, results };
  });
  const { status, waitingFor } = run;
  if (turns.length > 0 && status === 'paused' && waitingFor?.kind === 'human')
    turns.push({ id: `${run.id}.question`, role: 'agent', content: waitingFor.question, at: run.statusAt });
  const last = turns.at(-1);
  if (last && status !== 'completed') last.became = becameOf(run) ?? 'failed';
  return turns;
}

/** The question that what was said last in the run has answered; null if it has begun the run. */
export const questionAnswered = ({ messages = [] }: RunRecord): string | null => messages.at(-2)?.messageId ?? null;

/** What was said in a run until it had answered, or asked, after what answered this question, or had begun it. */
export function saidUntil(run: RunRecord, answered: string | null | undefined): SaidTurn[] {
  const turns = ownSaidTurns(run);
  if (answered === undefined || answered === questionAnswered(run)) return turns;
  const at = answered === null ? -1 : (run.messages ?? []).findIndex(({ messageId }) => messageId === answered);
  return turns.filter(({ id }) => id <= replyTurnId(run.id, at + 2));
}

/** What its client has told of the time before a run, as reasoners are told it. */
export const earlierSaidTurns = ({ id, earlier = [], created_at: at }: RunRecord): SaidTurn[] =>
  earlier.map(({ role, content, results }, n) => ({ id: earlierTurnId(id, n), role, content, at, results }));

export const saidTurns = (run: RunRecord): SaidTurn[] => [...earlierSaidTurns(run), ...ownSaidTurns(run)];

/** How many bytes of what tools returned the turns of one run keep, and of one result. */
const mostResults = 8192;
const mostOfResult = 4096;

const sizeOfResult = ({ arguments: given, result }: ToolOutcome): number =>
  Buffer.byteLength(result) + Buffer.byteLength(JSON.stringify(given));
const sizeOfResults = (results: readonly ToolOutcome[] = []): number =>
  results.reduce((sum, each) => sum + sizeOfResult(each), 0);

/** The newest of these results, as far as turns keep them (Conversation.V4); undefined if there are none. */
export function keptResults(results: readonly ToolOutcome[]): readonly ToolOutcome[] | undefined {
  const kept: ToolOutcome[] = [];
  let left = mostResults;
  for (const { tool, arguments: given, ok, result } of results.toReversed()) {
    const beginning = firstBytes(result, mostOfResult);
    const one = { tool, arguments: given, ok, result: beginning === result ? result : `${beginning}…` };
    left -= sizeOfResult(one);
    if (left < 0) break;
    kept.push(one);
  }
  return kept.length === 0 ? undefined : kept.reverse();
}

/** What the tools of the agent returned in a run; the tools of the service tell what memory and mailbox know anyway. */
export const toolResults = ({ transcript }: LiveRun): readonly ToolOutcome[] | undefined =>
  transcript.some((step) => step.some(({ tool }) => tool === 'use_tool'))
    ? keptResults(transcript.flat().filter(({ tool }) => tool === 'use_tool'))
    : undefined;

/** The run that what is said next in the session answers (Conversation.V5); undefined if there is none. */
export function answeredBySaying({ waiting }: SessionState): string | undefined {
  const forHuman = waiting.filter(({ kind }) => kind === 'human');
  return forHuman.length === 1 ? forHuman[0]?.id : undefined;
}

/** The run as one of its session that waits; undefined if it does not, or only for other agents. */
export const waitingRun = ({ id, status, waitingFor }: RunRecord): WaitingRun | undefined =>
  status === 'paused' && waitingFor && waitingFor.kind !== 'agent' ? { id, kind: waitingFor.kind } : undefined;

/** Notes whether a run waits whose status has changed. */
export function noteWaitingRun(sessions: SessionTurns, run: RunRecord): SessionTurns {
  const session = sessions.get(run.sessionId);
  if (!session) return sessions;
  const { subject, newest, turns, waiting, handed } = session;
  const now = waitingRun(run);
  if (!now && !waiting.some(({ id }) => id === run.id)) return sessions;
  const others = waiting.filter(({ id }) => id !== run.id);
  const left = { subject, newest, turns, waiting: now ? [...others, now] : others };
  return withSession(sessions, run.sessionId, handed ? { ...left, handed } : left);
}

/** Notes that a run has begun in its session. */
export function noteNewest(sessions: SessionTurns, { id, sessionId }: RunRecord): SessionTurns {
  const session = sessions.get(sessionId);
  return session && session.newest < id ? withSession(sessions, sessionId, { ...session, newest: id }) : sessions;
}

/** Whether these turns are what was said before a run: none of them is of a run that was created after it. */
export const areBefore = (turns: readonly SaidTurn[], run: string): boolean =>
  turns.every(({ id }) => runOfTurn(id) < run);

/**
 * The session after a run has ended. What was said in a run has its place by when the run was created, and is part of
 * the conversation whatever became of it (Conversation.V6): where it is not simply the newest, or was known in another
 * form, the session is read anew.
 */
export function sessionsAfterRun(sessions: SessionTurns, run: RunRecord, config: AgentConfig): SessionTurns {
  const known = sessions.get(run.sessionId);
  if (!known) return sessions;
  if (!areBefore(known.turns, run.id)) return withoutSession(sessions, run.sessionId);
  const turns = lastTurns([...known.turns, ...ownSaidTurns(run)], config);
  return withSession(sessions, run.sessionId, { ...known, turns });
}

/** Keeps a session's last turns, and forgets the sessions that were used longest ago. */
export function withSession(sessions: SessionTurns, id: string, session: SessionState): SessionTurns {
  const out = new Map(sessions);
  out.delete(id);
  out.set(id, session);
  let left = mostCharacters;
  for (const { turns } of out.values()) for (const { content } of turns) left -= content.length;
  for (const [oldest, said] of out) {
    if (oldest === id || (out.size <= mostSessions && left >= 0)) break;
    out.delete(oldest);
    for (const { content } of said.turns) left += content.length;
  }
  return out;
}

export function withoutSession(sessions: SessionTurns, id: string): SessionTurns {
  if (!sessions.has(id)) return sessions;
  const out = new Map(sessions);
  out.delete(id);
  return out.size === 0 ? noSessions : out;
}

export function withoutSubject(sessions: SessionTurns, subject: string): SessionTurns {
  const left = [...sessions].filter(([, session]) => session.subject !== subject);
  return left.length === sessions.size ? sessions : left.length === 0 ? noSessions : new Map(left);
}

/*
 * Files that come with what is said to an agent, and that its model is given as they are: images and PDFs. Texts, and
 * JSON as a file, are read as text instead (task.ts).
 *
 *  - The bytes of a file are a document of their own, whose id is their SHA-256: an agent has it once, whatever the
 *    number of its runs that hold it. Runs and messages name it.
 *  Files.F2 A file is deleted with the last run that holds it.
 *  - What an agent does not take is refused, and changes nothing: it must not answer as if it had seen it.
 */

/** A file of a request, whose bytes (base64) the request has at this path. */
export interface GivenFile {
  sha256: string;
  /** In bytes. */
  size: number;
  bytes: string;
  mediaType: string;
  filename?: string | undefined;
  path: string;
}

/** What came with a message, and which of it the agent has already. */
export interface GivenFiles {
  given: readonly GivenFile[];
  held: readonly string[];
}

/** How a message that is stored or shown names a file. */
export const fileUri = (sha256: string): string => `urn:sha256:${sha256}`;

/** The media types of the files that an agent with this configuration takes beside texts. */
export const acceptedTypes = (config: Pick<AgentConfig, 'model' | 'accepts'>): readonly FileType[] =>
  asksModel(config) ? (config.accepts ?? imageTypes) : [];

/** What a document of so many bytes adds to what is stored. */
const storedSize = (size: number): number => sizeOf({ bytes: '' }) + 4 * Math.ceil(size / 3);

/** Adds the files to the run, which has been said to be after so many steps if it is not its input. */
export function takeFiles(
  d: AgentDraft,
  record: RunRecord,
  config: AgentConfig,
  files: GivenFiles | undefined,
  step?: number,
): void {
  if (!files || files.given.length === 0) return;
  const accepted: readonly string[] = acceptedTypes(config);
  const before = record.files ?? [];
  const held = new Set(files.held);
  let bytes = before.reduce((sum, { size }) => sum + size, 0);
  const taken = files.given.map(({ sha256, size, mediaType, filename, path }): RunFile => {
    if (!accepted.includes(mediaType)) throw notAccepted(path, mediaType, accepted);
    bytes += size;
    return {
      sha256,
      size,
      mediaType,
      ...(filename !== undefined && { filename }),
      ...(step !== undefined && { step }),
    };
  });
  const [first] = files.given;
  if (first && (bytes > bounds.filesBytes || before.length + taken.length > bounds.files))
    throw invalid({
      path: first.path,
      message: `is beyond what a run may hold: ${bounds.files} files, of ${bounds.filesBytes / 1024 / 1024} MiB together`,
    });
  for (const { sha256, bytes: content } of files.given) {
    if (held.has(sha256)) continue;
    held.add(sha256);
    d.put('file', sha256, { bytes: content }, true);
  }
  record.files = [...before, ...taken];
}

function notAccepted(path: string, mediaType: string, accepted: readonly string[]): HivekeepError {
  const what = mediaType === '' ? 'without a media type' : `of the media type ${mediaType}`;
  const message = `is a file ${what}: this agent reads ${['text/*', 'application/json', ...accepted].join(', ')}`;
  return new HivekeepError('UNSUPPORTED_MEDIA_TYPE', `${path} ${message}`, {
    details: { issues: [{ path, message }] },
  });
}

/** The files that a fork at this step has of the run. */
export const filesUntil = (record: RunRecord, steps: number): readonly RunFile[] | undefined =>
  record.files?.filter(({ step }) => step === undefined || step < steps);

/** The files that no run holds any more. */
export type FreedFile = Pick<RunFile, 'sha256' | 'size'>;

export function dropFiles(d: AgentDraft, freed: readonly FreedFile[]): void {
  for (const { sha256, size } of freed) d.remove('file', sha256, storedSize(size));
}
