/**
 * One step of a run, up to the proposal of the reasoner: recall (step-recall.ts), think, and look up what the tool
 * calls name (resolve-calls.ts). It reads and changes nothing. If the index is in memory and the reasoner answers
 * without waiting, the report is returned at once, without a promise.
 *
 * If the workspace's quota has a limit, the step reserves room for the memories that its calls create
 * (quota/monthly-quota.ts). The reservation comes with the report. It is claimed by whoever decides on the report;
 * otherwise it ends with the step's signal or expires. Calls that were approved after they were proposed pass through
 * here again, only to reserve room.
 */
import { passedOn } from '../../../src/domain/run/hand-off.js';
import {
  bounds,
  needsReservation,
  type ResolvedCall,
  type StepReport,
  senderOf,
} from '../../../src/domain/agent/agent-state.js';
import { jsonBytes } from '../../../src/domain/shared/bounded.js';
import { usualModelOutageMs } from '../../../src/domain/run/model-outage.js';
import { tellsText } from '../../../src/domain/model/model.js';
import { withheldTools } from '../../../src/domain/shared/caller.js';
import {
  type StorageExceeded,
  mostJsonBytes,
  quotaExceededText,
  sizeOf,
  storageText,
} from '../../../src/domain/workspace/usage.js';
import { saidBy } from '../../../src/domain/run/conversation.js';
import { messageOf } from '../../../src/domain/task/run-as-task.js';
import { allOf, finish, type MaybePromise, wait, type Waiting } from '../../../src/maybe-promise.js';
import {
  type PromptFile,
  type ProposedCall,
  type RecalledMemory,
  ReasonerError,
  type StepContext,
  type StepProposal,
  type ToldBlock,
} from '../../../src/reasoner/port.js';
import type { Offer } from '../../../src/mcp/port.js';
import type { QuotaReservation } from '../../quota/reservation.js';
import type { EntityDeps } from '../deps.js';
import { asksModel, type AgentConfig } from '../../../src/domain/agent/agent-config.js';
import { outlastOutages, pause, type TimeAway } from '../outages.js';
import { LiveText } from './live-text.js';
import { useTool } from './call-tool.js';
import { resolveCall } from './resolve-calls.js';
import { tracedCall } from './traced-runs.js';
import {
  blocksOfStep,
  type FullInput,
  handedTo,
  inputOf,
  powersOfStep,
  profileFor,
  readFiles,
  recallMemories,
  type StepInput,
  turnsBefore,
} from './step-recall.js';

/** A report with the quota reservation that it holds; see `claimReservation`. */
export type ProposedStep = StepReport & { reservation?: QuotaReservation };

/**
 * Returns the report in the form that is decided on. From then on the reservation belongs to the decision, and must be
 * released when the decision is stored or lost. Null if the reservation has ended before, which an outage may cause.
 */
export function claimReservation(report: ProposedStep): StepReport | null {
  if (!report.ok || !report.reservation) return report;
  const { reservation, ...rest } = report;
  if (!reservation.claim()) return null;
  const problem = reservation.full
    ? quotaExceededText(reservation.full)
    : "no place for it in the workspace's monthly quota was left; try again";
  return { ...rest, reserved: { room: reservation.granted, problem } };
}

/** Runs a read, and repeats it while an outage lasts. */
type Patiently = <T>(read: () => MaybePromise<T>) => MaybePromise<T>;

/** Never throws or rejects: an error becomes part of the report. `away` measures how long outages delayed the step. */
export const proposeStep = (
  deps: EntityDeps,
  input: StepInput,
  signal: AbortSignal,
  away: TimeAway,
): MaybePromise<ProposedStep> => finish(proposal(deps, input, signal, away));

/** If the run holds calls, they are proposed, and the first is made if it is to go out (`calling`); else it thinks. */
function* proposal(deps: EntityDeps, given: StepInput, signal: AbortSignal, away: TimeAway): Waiting<ProposedStep> {
  const { held } = given.live.record;
  const patiently: Patiently = (read) => outlastOutages({ clock: deps.clock, away, signal }, read);
  try {
    if (held.length > 0) {
      const came = given.live.record.calling && (yield* wait(useTool(deps, given, signal)));
      return yield* withReservation(deps, given, { ...asHeld(held), ...(came && { came }) }, signal, patiently);
    }
    const exceeded = yield* wait(patiently(() => deps.bounds.storageExceeded(given.entity.workspace)));
    if (exceeded) return noStorage(exceeded);
    if (given.live.record.steps === 0 && asksModel(given.agent.config)) {
      const refusal = yield* wait(
        patiently(() => deps.modelBudgets.usedUp(given.entity.workspace, given.live.record.subject)),
      );
      if (refusal !== null) return { ok: false, error: { code: 'quota_exceeded', message: refusal } };
    }
    yield* wait(untilRetry(deps, given, signal, away));
    const handed = given.handed === undefined ? null : yield* wait(patiently(() => finish(handedTo(deps, given))));
    if (handed) return asHeld([passedOn(given.live.record, handed)]);
    const turns = yield* wait(patiently(() => finish(turnsBefore(deps, given))));
    const input = { ...given, turns };
    const consulted = looksUp(deps, input) ? yield* wait(patiently(() => finish(recallMemories(deps, input)))) : [];
    const profile = asksModel(input.agent.config) ? yield* wait(patiently(() => finish(profileFor(deps, input)))) : [];
    const blocks =
      input.agent.blocks === undefined ? undefined : yield* wait(patiently(() => finish(blocksOfStep(deps, input))));
    const files = given.live.record.files ? yield* wait(patiently(() => finish(readFiles(deps, input)))) : [];
    const proposed = yield* wait(think(deps, input, { files, memories: consulted, profile, blocks }, signal));
    return yield* reportOf(deps, input, proposed, consulted, signal, patiently);
  } catch (error) {
    return failureOf(deps, given, error, signal);
  }
}

/**
 * Waits for the time at which the run asks models again that were away (ModelOutage.M1). Undefined if there is nothing
 * to wait for. A clock that was set back makes no wait longer than an outage may be.
 */
function untilRetry(
  { clock, defaults, metrics }: EntityDeps,
  { live, agent }: Pick<StepInput, 'live' | 'agent'>,
  signal: AbortSignal,
  away: TimeAway,
): Promise<void> | undefined {
  const { modelOutage } = live.record;
  if (!modelOutage) return undefined;
  const ms = Math.min(Date.parse(modelOutage.retryAt) - clock.now(), defaults.modelOutageMs ?? usualModelOutageMs);
  if (ms <= 0) return undefined;
  const server = serverOf(agent.config);
  away.begin();
  metrics.waitsForModel(server, 1);
  return pause(clock, ms, signal).then(() => {
    away.end();
    metrics.waitsForModel(server, -1);
    signal.throwIfAborted();
  });
}

/** The server of the model that is asked first. */
export const serverOf = ({ model = '' }: AgentConfig): string =>
  (typeof model === 'string' ? model : (model[0] ?? '')).split('/', 1)[0] ?? '';

const asHeld = (calls: readonly ResolvedCall[]): SuccessfulStep => ({ ok: true, thoughts: [], calls, consulted: [] });

/**
 * Waits with a report that cannot be decided on until `readAgain` succeeds, and reserves room for its memories anew,
 * because no reservation lasts as long as an outage may. Never rejects; the whole wait is time away (Outage.W2).
 */
export async function outlastWith(
  deps: EntityDeps,
  input: Pick<StepInput, 'entity' | 'live'>,
  { reservation, ...report }: SuccessfulStep,
  readAgain: () => Waiting<unknown>,
  signal: AbortSignal,
  away: TimeAway,
): Promise<ProposedStep> {
  const patiently: Patiently = (read) => outlastOutages({ clock: deps.clock, away, signal }, read);
  reservation?.release();
  away.begin();
  try {
    await patiently(() => finish(readAgain()));
    return await finish(withReservation(deps, input, report, signal, patiently));
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

/** Whether anybody sees what is recalled for this step. */
function looksUp({ reasonerFor }: EntityDeps, { agent: { config }, live, messages }: FullInput): boolean {
  if (live.record.passing) return false;
  if (config.multi_step === true || messages.length > 0 || live.humanInputs.length > 0) return true;
  return reasonerFor(config.model).usesMemories?.(saidBy(live.record)) ?? true;
}

function failureOf(
  deps: EntityDeps,
  { live }: Pick<StepInput, 'live'>,
  error: unknown,
  signal: AbortSignal,
): StepReport {
  if (error instanceof ReasonerError) {
    const { code, message, usage, fault, retryAfterMs } = error;
    const away = fault === 'away' && { away: { askedMs: retryAfterMs } };
    return { ok: false, error: { code, message }, ...(usage && { usage }), ...away };
  }
  // a step that was cancelled or has used up its time fails as expected, and nobody waits for its report
  if (!signal.aborted) deps.log.error({ event: 'step.failed', err: error, run: live.record.id }, 'a step failed');
  return {
    ok: false,
    error: { code: 'internal', message: "the step failed for a reason of the service's own; see its log" },
  };
}

/** What was looked up for the step. */
interface Looked {
  files: readonly PromptFile[];
  memories: readonly RecalledMemory[];
  profile: readonly RecalledMemory[];
  blocks: readonly ToldBlock[] | undefined;
}

function think(
  deps: EntityDeps,
  input: FullInput,
  { files, memories, profile, blocks }: Looked,
  signal: AbortSignal,
): MaybePromise<StepProposal> {
  const { agent, live, messages, turns } = input;
  const { record } = live;
  const text = tellsText(agent.config) ? liveText(deps, input) : undefined;
  if (text) input.writes?.(text);
  const context: StepContext = {
    agent: {
      id: agent.id,
      name: agent.name,
      description: agent.description,
      config: agent.config,
      hives: agent.hives,
      wakes: agent.wake_on_message,
    },
    run: {
      id: record.id,
      input: inputOf(input),
      ...(record.said !== undefined && { said: record.said }),
      sessionId: record.sessionId,
      triggeredBy: record.triggeredBy,
      startedAt: Date.parse(record.started_at ?? record.created_at),
      multiStep: agent.config.multi_step ?? false,
      ...(files.length > 0 && { files }),
      message: record.messages ? messageOf(record) : null,
    },
    now: deps.clock.now(),
    step: record.steps - record.budgetFromStep + 1,
    maxSteps: record.maxSteps,
    ...(record.lastStep && { last: true }),
    turns,
    memories,
    ...(profile.length > 0 && { profile }),
    ...(blocks && { blocks }),
    messages: messages.map((m) => ({ id: m.id, from: senderOf(m), content: m.content, reply_to: m.reply_to })),
    withheld: [...withheldTools(powersOfStep(input)), ...(input.withheld ?? [])],
    transcript: live.transcript,
    ...(live.asides && { asides: live.asides }),
    ...(live.kept && { kept: live.kept }),
    // Steering.B2: also where the step is made again
    humanInputs: live.humanInputs.filter(({ step }) => step <= record.steps),
    ...offeredTo(deps, input),
  };
  const ended = deps.learning.givesWay ? deps.learning.runAsks(serverOf(agent.config)) : undefined;
  const proposal = deps.reasonerFor(agent.config.model).next(context, signal, text);
  if (!(proposal instanceof Promise)) {
    ended?.();
    return proposal;
  }
  input.thinking?.();
  return proposal.finally(() => {
    text?.end();
    ended?.();
  });
}

/** The tools of the servers and the peers that the agent has, for a reasoner that asks for them. */
function offeredTo({ mcp, peers }: EntityDeps, { entity, agent }: StepInput): Pick<StepContext, 'offered'> {
  const servers = (agent.config.tools ?? []).filter((tool) => tool.kind === 'mcp');
  const others = (agent.config.tools ?? []).filter((tool) => tool.kind === 'a2a');
  if (servers.length + others.length === 0) return {};
  return {
    offered: async (signal) => {
      const [offers, asked] = await Promise.all([
        Promise.all(servers.map((server) => mcp.offer(entity, server, signal))),
        Promise.all(others.map((peer) => peers.offer(entity, peer, signal))),
      ]);
      const of = <T>(made: (offer: Offer, server: string) => readonly T[]): T[] =>
        servers.flatMap(({ name }, i) => (offers[i] ? made(offers[i], name) : []));
      return {
        tools: [
          ...of(({ tools }, server) => tools.map((tool) => ({ ...tool, name: `${server}.${tool.name}` }))),
          ...asked.map(({ tool }) => tool),
        ],
        problems: [
          ...of(({ problems }, server) => problems.map((problem) => `${server}: ${problem}`)),
          ...asked.flatMap(({ tool, problem }) => (problem === null ? [] : [`${tool.name}: ${problem}`])),
        ],
        away: of(({ tools }, server) => (tools.length === 0 ? [server] : [])),
      };
    },
  };
}

/** What tells the run's followers the text of this attempt. */
const liveText = ({ bus, clock }: EntityDeps, { entity, live: { record, attempt } }: StepInput): LiveText =>
  new LiveText(
    bus,
    clock,
    { workspace: entity.workspace, agent: entity.id, run: record.id },
    { step: record.steps + 1, attempt },
  );

function* reportOf(
  deps: EntityDeps,
  input: FullInput,
  proposal: StepProposal,
  consulted: readonly RecalledMemory[],
  signal: AbortSignal,
  patiently: Patiently,
): Waiting<ProposedStep> {
  const { thoughts, usage, kept } = proposal;
  const resolved = yield* wait(
    allOf(
      proposal.calls.map((call) =>
        tracedLookUp(call, () => patiently(() => finish(resolveCall(deps, input, call, consulted)))),
      ),
    ),
  );
  const calls = yield* wait(patiently(() => finish(withinStorage(deps, input, resolved))));
  const report = withinBytes({
    ok: true,
    thoughts,
    calls,
    consulted,
    ...(kept !== undefined && { kept }),
    ...(usage && { usage }),
  });
  return yield* withReservation(deps, input, report, signal, patiently);
}

/** An answer is no call of a tool, and other tools than those of the service are called when the step is decided on. */
const tracedLookUp = <T>(call: ProposedCall, work: () => T): T =>
  call.tool === 'answer' || call.tool === 'use_tool' ? work() : tracedCall(call, work);

/** If the workspace's storage is used up, refuses the calls that would store more, and tells the reasoner so. */
function* withinStorage(
  deps: EntityDeps,
  { entity }: StepInput,
  calls: readonly ResolvedCall[],
): Waiting<readonly ResolvedCall[]> {
  const adds = ({ tool }: ResolvedCall): boolean =>
    tool === 'remember' ||
    tool === 'update_memory' ||
    tool === 'send_message' ||
    tool === 'share_with_hive' ||
    tool === 'ask_agent' ||
    tool === 'block_replace' ||
    tool === 'block_append' ||
    tool === 'hand_off' ||
    tool === 'spawn_agent';
  if (!calls.some(adds)) return calls;
  // each call is stored twice: as its effect, and in the checkpoint
  const exceeded = yield* wait(deps.bounds.storageExceeded(entity.workspace, () => 2 * sizeOf(calls)));
  return exceeded ? calls.map((call) => (adds(call) ? { ...call, refused: storageText(exceeded) } : call)) : calls;
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

/** Reserves room for the memories of the report. The step waits while the month's sum cannot be read. */
function* withReservation(
  deps: EntityDeps,
  { entity }: Pick<StepInput, 'entity'>,
  report: SuccessfulStep,
  signal: AbortSignal,
  patiently: Patiently,
): Waiting<ProposedStep> {
  const counting = report.calls.filter(makesMemory).length;
  if (counting === 0) return report;
  const reservation = yield* wait(patiently(() => deps.quota.takeFor(entity.workspace, counting)));
  if (!reservation && !report.calls.some(needsReservation)) return report;
  const calls = report.calls.map((call) => markLimited(call, reservation !== null));
  if (!reservation) return { ...report, calls };
  reservation.expire(signal);
  return { ...report, calls, reservation };
}

const makesMemory = (call: ResolvedCall): call is Extract<ResolvedCall, { limited?: true }> =>
  (call.tool === 'remember' && call.refused === undefined) ||
  (call.tool === 'update_memory' && call.id !== null) ||
  (call.tool === 'share_with_hive' && call.hive !== null);

/** Marks whether the call needs a quota reservation. */
function markLimited(call: ResolvedCall, yes: boolean): ResolvedCall {
  if (!makesMemory(call)) return call;
  const { limited: _, ...rest } = call;
  return yes ? { ...rest, limited: true } : rest;
}
