/**
 * One step of a run, up to the proposal of the reasoner: recall, think, and look up what the tool calls need. It reads
 * and changes nothing. If the index is in memory and the reasoner answers without waiting, the report is returned at
 * once, without a promise.
 *
 * If the workspace's quota has a limit, the step reserves room for the memories that its calls create
 * (quota/local-quota.ts). The reservation comes with the report. It is claimed by whoever decides on the report;
 * otherwise it ends with the step's signal or expires. Calls that were approved after they were proposed pass through
 * here again, only to reserve room.
 */
import { wordingOf } from '../../../src/domain/identities.js';
import {
  type AgentSnapshot,
  bounds,
  external,
  type LiveRun,
  needsReservation,
  type ResolvedCall,
  type StepReport,
  senderOf,
  type StoredMessage,
  type SaidTurn,
} from '../../../src/domain/agent-state.js';
import { allows, commonPowers, type Powers, withheldTools } from '../../../src/domain/powers.js';
import { mostJsonBytes, sizeOf, type StorageExceeded, storageText } from '../../../src/domain/storage.js';
import { isAction } from '../../../src/domain/tools.js';
import { firstBytes, jsonBytes } from '../../../src/domain/bounded.js';
import {
  asksForAll,
  isConversation,
  lookedFor,
  recalledSince,
  runOfTurn,
  turnsOf,
  turnType,
} from '../../../src/domain/conversation.js';
import { tellsText, type ToolCall } from '../../../src/domain/model.js';
import { isPresent } from '../../../src/domain/superseding.js';
import { mayLearn } from '../../../src/domain/learning.js';
import { statementsIn } from '../../../src/learning/statements.js';
import { messageOf } from '../../../src/domain/tasks.js';
import type { RecallHit } from '../../../src/memory/port.js';
import { type RecalledMemory, ReasonerError, type StepProposal } from '../../../src/reasoner/port.js';
import type { EntityRef, StoredDoc } from '../../../src/store/port.js';
import { type MaybePromise, thenSync, allSync } from '../../../src/maybe-promise.js';
import { quotaExceededText } from '../../../src/domain/usage.js';
import { unpackRun } from '../../../src/domain/stored-run.js';
import type { QuotaReservation } from '../../quota/local-quota.js';
import type { EntityDependencies } from '../dependencies.js';
import { LiveText } from './live-text.js';
import { sessionTurns } from './session-reads.js';
import { outlastOutages, type TimeAway } from '../outages.js';

export interface StepInput {
  entity: EntityRef;
  agent: AgentSnapshot;
  live: LiveRun;
  messages: readonly StoredMessage[];
  /** The last turns of the run's session; omitted if they have to be read. */
  turns?: readonly SaidTurn[] | undefined;
  /** Called when the reasoner has to be waited for. */
  thinking?: () => void;
}
/** A step's input with its session's turns. */
type FullInput = StepInput & { turns: readonly SaidTurn[] };

/** A report with the quota reservation that it holds; see `claimReservation`. */
export type ProposedStep = StepReport & { reservation?: QuotaReservation };

/**
 * Returns the report in the form that is decided on. From then on the reservation belongs to the decision, and must be
 * released when the decision is stored or lost.
 */
export function claimReservation(report: ProposedStep): StepReport {
  if (!report.ok || !report.reservation) return report;
  const { reservation: place, ...rest } = report;
  const problem = place.full
    ? quotaExceededText(place.full)
    : "no place for it in the workspace's monthly quota was left to use in time; try again";
  return { ...rest, reserved: { places: place.claim() ? place.granted : 0, problem } };
}

/** Runs a read, and repeats it while an outage lasts. */
type Patiently = <T>(read: () => MaybePromise<T>) => MaybePromise<T>;

/** Never throws or rejects: an error becomes part of the report. `away` measures how long outages delayed the step. */
export function proposeStep(
  deps: EntityDependencies,
  input: StepInput,
  signal: AbortSignal,
  away: TimeAway,
): MaybePromise<ProposedStep> {
  const { held } = input.live.record;
  const patiently: Patiently = (read) => outlastOutages({ clock: deps.clock, away, signal }, read);
  try {
    const report =
      held.length > 0
        ? withReservation(deps, input, { ok: true, thoughts: [], calls: held, consulted: [] }, signal, patiently)
        : thenSync(
            patiently(() => deps.bounds.storageExceeded(input.entity.workspace)),
            (exceeded) => (exceeded ? noStorage(exceeded) : thought(deps, input, signal, patiently)),
          );
    return report instanceof Promise ? report.catch((error: unknown) => failureOf(deps, input, error, signal)) : report;
  } catch (error) {
    return failureOf(deps, input, error, signal);
  }
}

/**
 * Waits with a report that cannot be decided on while `read` fails, and reserves room for its memories anew, because
 * no reservation lasts as long as an outage may. Never rejects; the whole wait is time away (Outage.W2).
 */
export async function outlastWith(
  deps: EntityDependencies,
  input: Pick<StepInput, 'entity' | 'live'>,
  { reservation, ...report }: SuccessfulStep,
  read: () => MaybePromise<unknown>,
  signal: AbortSignal,
  away: TimeAway,
): Promise<ProposedStep> {
  const patiently: Patiently = (read) => outlastOutages({ clock: deps.clock, away, signal }, read);
  reservation?.release();
  away.begin();
  try {
    await patiently(read);
    return await withReservation(deps, input, report, signal, patiently);
  } catch (error) {
    return failureOf(deps, input, error, signal);
  } finally {
    away.end();
  }
}

/**
 * The report of a step that may not begin because the workspace's storage is used up. A step is stored with everything
 * that it proposed, even calls that were refused, so such steps would keep adding to the storage without limit.
 */
const noStorage = (exceeded: StorageExceeded): StepReport => ({
  ok: false,
  error: { code: 'storage_exceeded', message: storageText(exceeded) },
});

const thought = (
  deps: EntityDependencies,
  given: StepInput,
  signal: AbortSignal,
  patiently: Patiently,
): MaybePromise<ProposedStep> =>
  thenSync(
    patiently(() => turnsBefore(deps, given)),
    (turns) => {
      const input = { ...given, turns };
      return thenSync(
        patiently(() => recallMemories(deps, input)),
        (consulted) =>
          thenSync(think(deps, input, consulted, signal), (proposal) =>
            reportOf(deps, input, proposal, consulted, signal, patiently),
          ),
      );
    },
  );

/** The last turns of the session before this run, as far as the step may read them (Conversation.V3). */
function turnsBefore(deps: EntityDependencies, input: StepInput): MaybePromise<readonly SaidTurn[]> {
  const { entity, agent, live, turns } = input;
  const memory = agent.config.memory;
  const since = recalledSince(memory, deps.clock.now()) ?? -Infinity;
  if (!isConversation(live.record) || memory?.turns === 0) return [];
  if (memory?.conversation === 'off' || !allows(powersOfStep(input), 'memory:read')) return [];
  return thenSync(turns ?? sessionTurns(deps.store, entity, live.record, memory), (found) => {
    const all = found ?? [];
    return since === -Infinity ? all : all.filter((turn) => Date.parse(turn.at) >= since);
  });
}

function failureOf(
  deps: EntityDependencies,
  { live }: Pick<StepInput, 'live'>,
  error: unknown,
  signal: AbortSignal,
): StepReport {
  if (error instanceof ReasonerError) {
    const { code, message, usage } = error;
    return { ok: false, error: { code, message }, ...(usage && { usage }) };
  }
  // a step that was cancelled or has used up its time fails as expected, and nobody waits for its report
  if (!signal.aborted) deps.log.error({ err: error, run: live.record.id }, 'a step failed');
  return {
    ok: false,
    error: { code: 'internal', message: "the step failed for a reason of the service's own; see its log" },
  };
}

/** The powers of the step: those of the run, limited by those of the messages that the step reads (powers.ts). */
const powersOfStep = ({ live, messages }: StepInput): Powers =>
  messages.reduce<Powers>((powers, message) => commonPowers(powers, message.powers), live.record.powers);

/** The contexts of a recall: those that the agent belongs to, as far as the step may read them. */
function contextsOf(input: StepInput): EntityRef[] {
  const { entity, agent } = input;
  const powers = powersOfStep(input);
  if (!allows(powers, 'memory:read')) return [];
  const hives = allows(powers, 'hive:read') ? agent.hives : [];
  return [entity, ...hives.map((id): EntityRef => ({ workspace: entity.workspace, kind: 'hive', id }))];
}

/** The input of the run; empty if the message that woke the run is among the messages of this step. */
const inputOf = ({ live: { record }, messages }: StepInput): string =>
  messages.some((m) => m.id === record.messageId) ? '' : record.input;

/** The query of the recall: the input, or the messages that woke the run. */
const queryOf = (input: StepInput): string =>
  (inputOf(input) || input.messages.map((m) => m.content).join('\n')).slice(0, 4000);

function recallMemories(deps: EntityDependencies, input: FullInput): MaybePromise<RecalledMemory[]> {
  const memory = input.agent.config.memory;
  return search(deps, input, queryOf(input), memory?.recall_limit ?? 5, memory?.min_relevance ?? 0.1);
}

/** How many memories a question for everything that is known finds at least. */
const allAtOnce = 20;

function search(
  deps: EntityDependencies,
  input: FullInput,
  query: string,
  limit: number,
  minRelevance: number,
): MaybePromise<RecalledMemory[]> {
  const contexts = contextsOf(input);
  if (limit === 0 || query.trim() === '' || contexts.length === 0) return [];
  const inHand = new Set([input.live.record.messageId, ...input.messages.map((m) => m.id)]);
  const now = deps.clock.now();
  const turnsSince = recalledSince(input.agent.config.memory, now);
  const all = asksForAll(query);
  const hits = deps.recall.search({
    // a query without a word to look for is answered with what is newest
    query: all ? 'what' : lookedFor(query, input.turns),
    contexts,
    limit: (all ? Math.max(limit, allAtOnce) : limit) + inHand.size,
    minRelevance: all ? 0 : minRelevance,
    ...(turnsSince !== undefined && { turnsSince }),
    now,
  });
  return thenSync(hits, (found) =>
    fetchHits(deps, found.filter((h) => !inHand.has(h.id)).slice(0, all ? Math.max(limit, allAtOnce) : limit)),
  );
}

/** Reads the contents from the store. Documents that have been deleted meanwhile are left out. */
function fetchHits(deps: EntityDependencies, hits: readonly RecallHit[]): MaybePromise<RecalledMemory[]> {
  const docs = hits.map((h) =>
    h.kind === 'turn' ? deps.store.get(h.context, 'run', runOfTurn(h.id)) : deps.store.get(h.context, h.kind, h.id),
  );
  return thenSync(allSync(docs), (found) =>
    hits.flatMap((hit, i) => {
      const doc = found[i];
      // checked again (Recall.R5, Recall.R6), because the index of a stale owner may be behind the store
      return doc && isPresent(doc.body, deps.clock.now()) ? recalled(hit, doc) : [];
    }),
  );
}

/** Empty for a turn that is no longer part of its run. */
function recalled({ id, kind, relevance }: RecallHit, doc: StoredDoc): RecalledMemory[] {
  if (kind === 'turn') {
    const turn = turnsOf(unpackRun(doc)).find((t) => t.id === id);
    return turn ? [{ id, type: turnType, content: turn.content, relevance, at: turn.created_at, role: turn.role }] : [];
  }
  const { body } = doc;
  const type = kind === 'message' ? 'message' : String(body['type']);
  const at = body['occurred_at'] ?? body['created_at'];
  return [{ id, type, content: String(body['content']), relevance, ...(typeof at === 'string' && { at }) }];
}

function think(
  deps: EntityDependencies,
  input: FullInput,
  memories: readonly RecalledMemory[],
  signal: AbortSignal,
): MaybePromise<StepProposal> {
  const { agent, live, messages, turns } = input;
  const { record } = live;
  const text = tellsText(agent.config) ? liveText(deps, input) : undefined;
  const proposal = deps.reasonerFor(agent.config.model).next(
    {
      agent: {
        id: agent.id,
        name: agent.name,
        description: agent.description,
        config: agent.config,
        hives: agent.hives,
      },
      run: {
        id: record.id,
        input: inputOf(input),
        sessionId: record.sessionId,
        triggeredBy: record.triggeredBy,
        multiStep: agent.config.multi_step ?? false,
        message: record.messages ? messageOf(record) : null,
      },
      now: deps.clock.now(),
      step: record.steps - record.budgetFromStep + 1,
      maxSteps: record.maxSteps,
      turns,
      memories,
      messages: messages.map((m) => ({ id: m.id, from: senderOf(m), content: m.content, reply_to: m.reply_to })),
      learns: mayLearn(agent, record) ? statementsIn(record.input) : [],
      withheld: withheldTools(powersOfStep(input)),
      transcript: live.transcript,
      humanInputs: live.humanInputs,
    },
    signal,
    text,
  );
  if (proposal instanceof Promise) input.thinking?.();
  if (!text || !(proposal instanceof Promise)) return proposal;
  return proposal.finally(() => {
    text.end();
  });
}

/** What tells the run's followers the text of this attempt. */
const liveText = ({ bus, clock }: EntityDependencies, { entity, live: { record, attempt } }: StepInput): LiveText =>
  new LiveText(
    bus,
    clock,
    { workspace: entity.workspace, agent: entity.id, run: record.id },
    { step: record.steps + 1, attempt },
  );

function reportOf(
  deps: EntityDependencies,
  input: FullInput,
  proposal: StepProposal,
  consulted: readonly RecalledMemory[],
  signal: AbortSignal,
  patiently: Patiently,
): MaybePromise<ProposedStep> {
  return thenSync(allSync(proposal.calls.map((call) => patiently(() => resolveCall(deps, input, call)))), (resolved) =>
    thenSync(
      patiently(() => withinStorage(deps, input, resolved)),
      (calls) =>
        withReservation(
          deps,
          input,
          withinBytes({
            ok: true,
            thoughts: proposal.thoughts,
            calls,
            consulted,
            ...(proposal.usage && { usage: proposal.usage }),
          }),
          signal,
          patiently,
        ),
    ),
  );
}

/** If the workspace's storage is used up, refuses the calls that would store more, and tells the reasoner so. */
function withinStorage(
  deps: EntityDependencies,
  { entity }: StepInput,
  calls: readonly ResolvedCall[],
): MaybePromise<readonly ResolvedCall[]> {
  const adds = (call: ResolvedCall): boolean => isAction(call) && call.tool !== 'forget';
  if (!calls.some(adds)) return calls;
  // each call is stored twice: as its effect, and in the checkpoint
  return thenSync(
    deps.bounds.storageExceeded(entity.workspace, () => 2 * sizeOf(calls)),
    (exceeded) =>
      exceeded ? calls.map((call) => (adds(call) ? { ...call, refused: storageText(exceeded) } : call)) : calls,
  );
}

/** Refuses a report of more than `bounds.stepBytes`, because everything that a step writes is in one commit. */
function withinBytes(report: SuccessfulStep): SuccessfulStep {
  const said = [report.thoughts, report.calls];
  if (mostJsonBytes(sizeOf(said)) <= bounds.stepBytes) return report;
  const bytes = jsonBytes(said);
  if (bytes <= bounds.stepBytes) return report;
  const error = new ReasonerError(
    'too_large',
    `the step says ${(bytes / 1024 / 1024).toFixed(1)} MiB, and ${bounds.stepBytes / 1024 / 1024} MiB is the most that one step may write: make fewer or shorter calls at a time`,
  );
  if (report.usage) error.usage = report.usage;
  throw error;
}

export type SuccessfulStep = Extract<ProposedStep, { ok: true }>;

/**
 * Reserves room for the memories of the report. The step waits while a quota that another process counts is
 * unavailable.
 */
function withReservation(
  deps: EntityDependencies,
  { entity }: Pick<StepInput, 'entity'>,
  report: SuccessfulStep,
  signal: AbortSignal,
  patiently: Patiently,
): MaybePromise<ProposedStep> {
  const counting = report.calls.filter(makesMemory).length;
  if (counting === 0) return report;
  return thenSync(
    patiently(() => deps.quota.takeFor(entity.workspace, counting)),
    (place): ProposedStep => {
      if (!place && !report.calls.some(needsReservation)) return report;
      const calls = report.calls.map((call) => markLimited(call, place !== null));
      if (!place) return { ...report, calls };
      place.expire(signal);
      return { ...report, calls, reservation: place };
    },
  );
}

const makesMemory = (call: ResolvedCall): call is Extract<ResolvedCall, { limited?: true }> =>
  call.tool === 'remember' ||
  (call.tool === 'update_memory' && call.id !== null) ||
  (call.tool === 'share_with_hive' && call.hive !== null);

/** Marks whether the call needs a quota reservation. */
function markLimited(call: ResolvedCall, yes: boolean): ResolvedCall {
  if (!makesMemory(call)) return call;
  const { limited: _, ...rest } = call;
  return yes ? { ...rest, limited: true } : rest;
}

/** The result of a recall for the reasoner: the best memories first, as many as fit. */
function recallResult(found: readonly RecalledMemory[]): string {
  if (found.length === 0) return 'nothing relevant is known';
  let left = bounds.recallBytes;
  const lines: string[] = [];
  for (const { content, relevance } of found) {
    const said = `relevance ${relevance.toFixed(2)}`;
    const kept = firstBytes(content, left);
    if (kept.length > 0) lines.push(kept === content ? `${content} (${said})` : `${kept} (cut short; ${said})`);
    left -= Buffer.byteLength(kept);
  }
  return lines.join('\n');
}

function resolveCall(deps: EntityDependencies, input: FullInput, call: ToolCall): MaybePromise<ResolvedCall> {
  const args = call.arguments;
  switch (call.tool) {
    case 'recall':
      return thenSync(search(deps, input, args['query'] ?? '', 10, 0.1), (found) => ({
        ...call,
        tool: 'recall' as const,
        result: recallResult(found),
      }));
    case 'send_message':
      return resolveAgent(deps, input, call, (args['to'] ?? '').trim());
    case 'share_with_hive':
      return resolveHive(input, call, args['hive_id']);
    case 'update_memory':
    case 'forget':
      return resolveMemory(deps, input, { ...call, tool: call.tool }, (args['memory'] ?? '').trim());
    case 'remember':
    case 'answer':
    case 'ask_human':
      return call as ResolvedCall;
    default:
      return call.tool satisfies never;
  }
}

/** Finds an agent by its id, or by a name that only one agent of the workspace has. */
function resolveAgent(
  deps: EntityDependencies,
  { entity }: StepInput,
  call: ToolCall,
  to: string,
): MaybePromise<ResolvedCall> {
  const { workspace } = entity;
  const found = (id: string, name: string): ResolvedCall => ({
    ...call,
    tool: 'send_message',
    to: { id, name },
    problem: null,
  });
  const missing = (problem: string): ResolvedCall => ({ ...call, tool: 'send_message', to: null, problem });
  if (to === external) return missing(`"${external}" is a client and has no mailbox`);
  return thenSync(deps.store.head({ workspace, kind: 'agent', id: to }), (head) => {
    if (head && !head.deleted) return found(to, String(head.snapshot['name']));
    return deps.store
      .list({ workspace, collection: 'agent', list: 'name', by: to, order: 'asc', limit: 2 })
      .then(({ items: [one, two] }) => {
        if (!one) return missing(`there is no agent "${to}"`);
        return two ? missing(`more than one agent is called "${to}"; use its id`) : found(one.id, to);
      });
  });
}

type Naming = Extract<ResolvedCall, { tool: 'update_memory' | 'forget' }>;

/** Finds a memory of the agent by its id, or by what it says. */
function resolveMemory(
  deps: EntityDependencies,
  input: FullInput,
  call: ToolCall & { tool: Naming['tool'] },
  reference: string,
): MaybePromise<ResolvedCall> {
  const resolved = (id: string | null, problem: string | null): ResolvedCall => ({ ...call, id, problem });
  if (/^mem_\S+$/.test(reference)) return resolved(reference, null);
  const wanted = wordingOf(reference);
  const { entity } = input;
  if (!allows(powersOfStep(input), 'memory:read') || reference === '') return resolved(null, 'no memory is named');
  const hits = deps.recall.search({
    query: reference.slice(0, 4000),
    contexts: [entity],
    limit: 20,
    minRelevance: 0,
    now: deps.clock.now(),
  });
  return thenSync(hits, (found) =>
    thenSync(
      allSync(found.filter(({ kind }) => kind === 'memory').map(({ id }) => deps.store.get(entity, 'memory', id))),
      (docs) => {
        const named = docs.find((doc) => doc !== null && wordingOf(String(doc.body['content'])) === wanted);
        return named ? resolved(named.id, null) : resolved(null, `the agent has no memory that says "${reference}"`);
      },
    ),
  );
}

function resolveHive({ agent }: StepInput, call: ToolCall, wanted: string | undefined): ResolvedCall {
  const hive = wanted ?? (agent.hives.length === 1 ? agent.hives[0] : undefined);
  const belongs = hive !== undefined && agent.hives.includes(hive);
  const problem = belongs
    ? null
    : wanted !== undefined
      ? `the agent is not in hive ${wanted}`
      : agent.hives.length === 0
        ? 'the agent is in no hive'
        : `the agent is in ${agent.hives.length} hives; name one of ${agent.hives.slice(0, 5).join(', ')}`;
  return { ...call, tool: 'share_with_hive', hive: belongs ? hive : null, problem };
}
