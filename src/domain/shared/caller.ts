/**
 * Who asks for something, for whom, and what they may: what a credential says of its holder. It is plain data, and goes
 * along to the decision.
 */
import type { Scope, Tier, TokenScope, ToolName } from './vocabulary.js';
import type { RunRecord } from '../run/records.js';

/*
 * What a run may make its agent do. An agent acts with its own authority, except for requests made with a token that
 * was created with a selection of memory and hive scopes: for those, each tool needs the scope that the same action
 * needs over REST.
 *
 *  - A token that names no scope of memory:* or hive:* selects nothing: it may use the agent with all of the agent's
 *    own authority.
 *  Powers.P2 Powers only shrink. A run has the powers that are common to all tokens that started or continued it and to
 *     all messages that it read; what it sends carries these powers, and so does a fork. So no detour through another
 *     agent, the agent's own mailbox, a pause or a fork restores what the token left out.
 *  Powers.P3 A call that is not allowed is an outcome that the reasoner sees, and is never submitted to anybody for
 *     approval.
 */

/** Scopes of memory:* and hive:*; undefined means all of them. */
export type Powers = readonly Scope[] | undefined;

const choices: readonly Scope[] = ['memory:read', 'memory:write', 'hive:read', 'hive:write'];

/** The powers of a token with these scopes. */
export function powersOf(scopes: readonly TokenScope[]): Powers {
  const chosen = choices.filter((scope) => scopes.includes(scope));
  return chosen.length === 0 ? undefined : chosen;
}

/** The powers that both allow (Powers.P2). */
export function commonPowers(a: Powers, b: Powers): Powers {
  if (a === undefined || b === undefined) return a ?? b;
  return a.filter((scope) => b.includes(scope));
}

/** Narrows what a run may do. A run without limits stores no powers. */
export function narrow(run: { powers?: Powers }, by: Powers): void {
  if (by !== undefined) run.powers = commonPowers(run.powers, by);
}

export const allows = (powers: Powers, scope: Scope): boolean => powers?.includes(scope) ?? true;

/**
 * Sending messages needs no scope here: whoever could start the run may also send messages, since both need agent:spawn
 * over REST.
 */
const scopeOfTool: Readonly<Partial<Record<ToolName, Scope>>> = {
  recall: 'memory:read',
  remember: 'memory:write',
  update_memory: 'memory:write',
  forget: 'memory:write',
  block_replace: 'memory:write',
  block_append: 'memory:write',
  share_with_hive: 'hive:write',
};

/** The missing scope because of which this tool may not be used; null if it may be used. */
export function missingScope(powers: Powers, tool: ToolName): Scope | null {
  const scope = scopeOfTool[tool];
  return scope === undefined || allows(powers, scope) ? null : scope;
}

const gatedTools = Object.keys(scopeOfTool) as ToolName[];

/** Tools that need not be offered to a reasoner. */
export const withheldTools = (powers: Powers): readonly ToolName[] =>
  powers === undefined ? [] : gatedTools.filter((tool) => missingScope(powers, tool) !== null);

export interface Caller {
  /** A sandbox counts as a workspace of its own (workspace.ts). */
  workspace: string;
  /** The id of the API key or of the token; all access tokens of one subject have the same. */
  credentialId: string;
  /** The name of the key or token, or the subject of an access token. */
  name?: string;
  tier: Tier;
  scopes: readonly TokenScope[];
  /** Set for an agent's token, and for a key at an agent's endpoint: the caller works for this agent alone. */
  agent?: string;
  /** Set for a token that reaches only the tasks that it began (OwnTasks.O1). */
  ownTasks?: true;
  /** Set where a model calls with the credential: it decides at no gate (run-as-task.ts). */
  byModel?: true;
  /** Set for an access token of an authorization server: when it was issued. */
  issued_at?: string;
  /** When the credential expires; absent if it never does. Credentials that it mints expire no later. */
  expires_at?: string;
  /** Set for a token that restricts what it may make its agent do (Powers). */
  powers?: Powers;
  /** Set for a request with If-Match: what it changes must have one of these versions (agent-settings.ts). */
  onlyIf?: readonly string[];
  /** Set for a POST with an Idempotency-Key. */
  idempotencyKey?: RequestKey;
  /** The client's address, set where the action is audited. */
  from?: string;
  /** The id of the request, set where the action is audited. */
  request?: string | undefined;
}

/**
 * A request that may be repeated: it takes effect once, and repeats get the same answer for 24 hours. A repeat waits
 * while the first is in progress, and fails with IDEMPOTENCY_MISMATCH if the body differs.
 */
export interface RequestKey {
  /** Derived from the workspace, the path and the client's key. */
  id: string;
  bodyHash: string;
  /** Set by the service if the answer is that of an earlier request. */
  replayed: boolean;
}

/*
 * Tokens with `tasks: own`, which are given to peers that are not to learn of one another.
 *
 *  OwnTasks.O1 Such a token reads, lists, continues, answers and cancels only the tasks that it began; every run is a
 *     task. Any other does not exist for it.
 *  - Its conversations are its own, whatever it calls their contexts: their sessions carry its id.
 *  OwnTasks.O3 What its tasks recall leaves out what was said or remembered in any session but its own.
 */

/** The session of the context that a client names. */
export const sessionFor = (token: string | undefined, context: string): string =>
  token === undefined || isSessionOf(token, context) ? context : `${token}~${context}`;

export const isSessionOf = (token: string, session: string): boolean => session.startsWith(`${token}~`);

/** The session that the caller means. */
export const sessionNamed = ({ ownTasks, credentialId }: Caller, session: string): string =>
  sessionFor(ownTasks && credentialId, session);

export const reachesSession = ({ ownTasks, credentialId }: Caller, session: string): boolean =>
  ownTasks !== true || isSessionOf(credentialId, session);

export const asBegunBy = ({ ownTasks, credentialId }: Caller): { begunBy: string } | undefined =>
  ownTasks && { begunBy: credentialId };

/** OwnTasks.O1. */
export const reaches = (
  { ownTasks, credentialId }: { ownTasks?: true; credentialId: string },
  { begunBy }: Pick<RunRecord, 'begunBy'>,
): boolean => ownTasks !== true || begunBy === credentialId;

/**
 * Whether what is said in the run is said by a client itself, and by no peer, agent or guest: only that may direct an
 * agent for others.
 */
export const speaksAsClient = ({
  triggeredBy,
  begunBy,
  passing,
}: Pick<RunRecord, 'triggeredBy' | 'begunBy' | 'passing'>): boolean =>
  triggeredBy === 'api' && begunBy === undefined && passing !== true;

/** Whether a run may recall what belongs to this session; null is no session (OwnTasks.O3). */
export const mayRecall = ({ begunBy }: Pick<RunRecord, 'begunBy'>, session: string | null): boolean =>
  begunBy === undefined || session === null || isSessionOf(begunBy, session);

/**
 * Subjects: whom what an agent knows is about, or who speaks to it. One agent serves many end users, and keeps what
 * they tell it apart. A memory, a mailbox message, a turn and a run may have a subject, a name that the client gives.
 *
 *  Subjects.T1 A run sees what is of its own subject and what is of nobody in particular; a run without a subject only
 *     the latter. That holds for turns, recall, mail, tools, learning and files of tasks that it refers to.
 *  Subjects.T2 What a run makes (memories, messages, shares, forks, what is learnt from it) is of its subject, so it
 *     stays with that on any detour over other agents and hives.
 *  Subjects.T3 A run changes or forgets only what is of its very subject: what is nobody's in particular is for all,
 *     and a subject's run may read it and not end it.
 *  Subjects.T4 A session is of the subject that it was begun with. Another that names it is refused.
 *  Subjects.T5 Memories repeat and supersede only memories of their own subject.
 */
export interface Owned {
  subject?: string | null | undefined;
}

const subjectOf = ({ subject }: Owned): string | null => subject ?? null;

export const isSameSubject = (a: Owned, b: Owned): boolean => subjectOf(a) === subjectOf(b);

/** Subjects.T1. */
export const maySee = (of: Owned, what: Owned): boolean => subjectOf(what) === null || isSameSubject(of, what);

/** The subject as a field, where there is one. */
export const withSubject = ({ subject }: Owned): { subject: string } | undefined =>
  subject === undefined || subject === null ? undefined : { subject };

/** The parts of what an entity knows that are seen by this subject, or by nobody in particular. */
export function seenBy<K>({ workspace, kind, id }: Named<K>, of: Owned): (Named<K> & { subject: string | null })[] {
  const nobodys = { workspace, kind, id, subject: null };
  const subject = subjectOf(of);
  return subject === null ? [nobodys] : [{ workspace, kind, id, subject }, nobodys];
}

interface Named<K> {
  readonly workspace: string;
  readonly kind: K;
  readonly id: string;
}
