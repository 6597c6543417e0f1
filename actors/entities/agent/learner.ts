/**
 * Has an agent's model learn from the runs that have ended (Learnt.N4), beside everything else that the agent does.
 *
 *  Learner.Q1 Requests about several subjects may be in progress side by side, and of one subject one at a time; each
 *     has one of the places of its process (learning-places.ts). Requests about one subject begin at least `pauseMs`
 *     apart; what has ended meanwhile is read by one request.
 *  Learner.Q2 A request tells the model only what clients said in these runs, which are of one subject, and the
 *     memories nearest to that which each of these runs may recall. What it cites is kept as the run has it (Spans.P1),
 *     if the run is still there; it replaces no memory but one of those.
 *  Learner.Q3 A failure costs nothing but what would have been learnt: while models are away it is tried again, for
 *     about half an hour, then it is logged once, and the runs are left alone. An agent that may no longer learn, or a
 *     workspace without storage, asks no model. A request that gives way to a run (LearningPlaces.W1) is made again.
 */
import { backoffMs, type Backoff } from '../../../src/domain/shared/clock.js';
import { monthUsedUp } from '../../../src/domain/agent/budgets.js';
import { type Learnt, type LearntFrom, mayBeReplaced, stillLearns } from '../../../src/domain/agent/learning.js';
import type { RunRecord } from '../../../src/domain/agent/agent-state.js';
import { inputTurnId, ownTurnsOf, saidBy } from '../../../src/domain/run/conversation.js';
import type { AgentConfig } from '../../../src/domain/agent/agent-config.js';
import type { Turn } from '../../../src/domain/model/model.js';
import { unpackRun } from '../../../src/domain/run/stored-run.js';
import { allows, mayRecall, maySee, seenBy, withSubject } from '../../../src/domain/shared/caller.js';
import { isWhole, mostSpans, spanIn } from '../../../src/english/spans.js';
import { allOf, finish } from '../../../src/maybe-promise.js';
import { type KnownMemory, ReasonerError } from '../../../src/reasoner/port.js';
import type { PresentMemories } from '../present-memories.js';
import { outageOf } from '../outages.js';
import type { AgentShell, Cited, LearnerMessage } from './messages.js';
import { serverOf } from './step.js';

const pauseMs = 10_000;
/** After which a server that had no room for learning is looked at again. */
const busyMs = 1000;
const mostRuns = 10;
const mostCharacters = 16_000;
/** A longer text is a document, not a remark. */
const longestTurn = 4000;
/** So many memories are shown to the model, and so many of each turn's search are looked at for them. */
const mostKnown = 10;
const mostFound = 30;
const mostTries = 8;
const retry: Backoff = { firstMs: 30_000, longestMs: 600_000 };
/** With fewer runs in line those that wait for that are read, so many at a time. */
const shortLine = 20;
const readLater = 50;
/** So many subjects are known to rest; those that no longer do are dropped then. */
const mostResting = 256;

/** A request in progress, from its beginning until what came of it is decided on. */
interface Request {
  runs: readonly string[];
  abort: AbortController;
}

export class Learner {
  /** By subject; that of nobody in particular is ''. */
  private readonly requests = new Map<string, Request>();
  /** When each subject may be asked about again. */
  private readonly resting = new Map<string, number>();
  /** Whom the runs in line are of, as far as they were read; null for one that is gone. */
  private readonly subjects = new Map<string, string | null>();
  private cancelTimer: (() => void) | null = null;
  /** A place is asked for, or taken and not yet used. */
  private wantsPlace = false;
  /** Leaves the line for a place. */
  private leave: () => void = () => undefined;
  private over = false;
  private notBefore = 0;
  private tries = 0;
  /** How many runs the gauge knows of. */
  private counted = 0;

  constructor(
    private readonly shell: AgentShell,
    private readonly present: PresentMemories,
  ) {}

  private get line(): readonly string[] {
    const agent = this.shell.state?.agent;
    return agent && !agent.deleting ? (agent.toLearn ?? []) : [];
  }

  private get waiting(): number {
    const agent = this.shell.state?.agent;
    return agent && !agent.deleting ? (agent.learnLater ?? 0) : 0;
  }

  /** The runs in line that no request in progress is about. */
  private get free(): readonly string[] {
    if (this.requests.size === 0) return this.line;
    const taken = new Set([...this.requests.values()].flatMap(({ runs }) => runs));
    return this.line.filter((id) => !taken.has(id));
  }

  /** Call this when there may be runs in line. */
  consider(): void {
    this.tellWaiting();
    if (this.over || this.wantsPlace || this.cancelTimer || this.shell.deps.stopping()) return;
    if (this.free.length === 0 && this.waiting === 0) return;
    const { clock, learning } = this.shell.deps;
    if (this.requests.size >= learning.most) return;
    if (this.notBefore > clock.elapsed()) {
      this.wait(this.notBefore);
      return;
    }
    this.wantsPlace = true;
    this.leave = learning.enter(() => {
      this.shell.tell({ type: 'study' });
    });
  }

  /** Looks again at this time, by the clock that only goes forward. */
  private wait(until: number): void {
    const { clock } = this.shell.deps;
    this.cancelTimer ??= clock.after(Math.max(1, until - clock.elapsed()), () => {
      this.cancelTimer = null;
      this.consider();
    });
  }

  private tellWaiting(): void {
    const now = this.over ? 0 : this.line.length + this.waiting;
    if (now !== this.counted) this.shell.deps.metrics.waitsToLearn(now - this.counted);
    this.counted = now;
  }

  /** Asks the model about the first runs in line that may be asked about. What comes of it is told to the actor. */
  async study(): Promise<void> {
    const { leave } = this;
    let asked = false;
    try {
      asked = await this.begin(leave);
    } finally {
      this.wantsPlace = false;
      if (!asked) leave();
    }
    if (asked) this.consider();
  }

  /** Whether there was something to ask, and the place is kept until that is answered. */
  private async begin(leave: () => void): Promise<boolean> {
    const { deps, entity, writer } = this.shell;
    if (!this.shell.state) return false;
    try {
      const exceeded = await deps.bounds.storageExceeded(entity.workspace);
      const isSpent = (await deps.modelBudgets.usedUp(entity.workspace)) !== null;
      await writer.settled();
      if (this.line.length < shortLine && this.waiting > 0) await this.fillLine();
      const { state } = this.shell;
      if (!state || this.over || this.free.length === 0) return false;
      const { agent, counts } = state;
      const monthIsOver = isSpent || monthUsedUp({ agent, counts, timeMs: deps.clock.now() }) !== null;
      if (exceeded || monthIsOver || !stillLearns(agent, counts['lasting'])) {
        this.drop(this.free);
        return false;
      }
      const found = await this.next();
      if (!found) return false;
      const { of, runs, gone } = found;
      if (of !== '' && (await deps.modelBudgets.usedUp(entity.workspace, of)) !== null) {
        this.drop([...gone, ...runs]);
        return false;
      }
      const records = await this.records(runs);
      const { read, turns } = chosen(records, runs);
      if (this.over) return false;
      if (turns.length === 0) {
        this.drop([...gone, ...read]);
        return false;
      }
      const known = await this.known(records, turns);
      if (this.isOver()) return false;
      const abort = new AbortController();
      const server = serverOf(agent.config);
      const ended = deps.learning.learns(server, () => {
        abort.abort(givesWay);
      });
      if (!ended) {
        this.notBefore = deps.clock.elapsed() + busyMs;
        this.wait(this.notBefore);
        return false;
      }
      this.requests.set(of, { runs: [...gone, ...read], abort });
      this.rest(of, pauseMs);
      void this.ask(agent.config.model, of, turns, known, () => {
        ended();
        leave();
      });
      return true;
    } catch (error) {
      if (!outageOf(error)) throw error;
      this.later(retry.firstMs);
      return false;
    }
  }

  /** The runs are done with, and nothing was learnt. */
  private drop(runs: readonly string[]): void {
    this.shell.deps.metrics.learning('left', runs.length);
    this.shell.tell({ type: 'learnt', of: null, runs, cited: [] });
  }

  /** Puts in line what has waited for that (Learnt.N4). */
  private async fillLine(): Promise<void> {
    const { deps, entity } = this.shell;
    const waited = this.waiting;
    const found = await deps.store.list({
      workspace: entity.workspace,
      entity,
      collection: 'run',
      list: 'later',
      by: 'yes',
      order: 'asc',
      limit: readLater,
      maxBytes: 1024 * 1024,
    });
    if (this.over) return;
    const runs = found.items.map(unpackRun);
    this.shell.handleCommand({ type: 'queueLearning', runs, more: found.next !== null, waited }, null);
  }

  /**
   * The first runs in line that are of one subject which may be asked about now, with those before them that are gone;
   * null if there are none yet.
   */
  private async next(): Promise<{ of: string; runs: readonly string[]; gone: readonly string[] } | null> {
    const { free } = this;
    await this.readSubjects(free);
    const now = this.shell.deps.clock.elapsed();
    const gone = free.filter((id) => this.subjects.get(id) === null);
    const all = new Set(free.flatMap((id) => this.subjects.get(id) ?? []));
    let soonest = Infinity;
    for (const of of all) {
      if (this.requests.has(of)) continue;
      const until = this.resting.get(of) ?? 0;
      if (until <= now) return { of, runs: free.filter((id) => this.subjects.get(id) === of).slice(0, mostRuns), gone };
      soonest = Math.min(soonest, until);
    }
    if (gone.length > 0) this.drop(gone);
    else if (soonest !== Infinity) this.wait(soonest);
    return null;
  }

  private async readSubjects(ids: readonly string[]): Promise<void> {
    const inLine = new Set(this.line);
    for (const id of this.subjects.keys()) if (!inLine.has(id)) this.subjects.delete(id);
    const { deps, entity } = this.shell;
    const unread = ids.filter((id) => !this.subjects.has(id));
    const found = await allOf(unread.map((id) => deps.store.get(entity, 'run', id)));
    for (const [i, id] of unread.entries()) {
      const doc = found[i];
      this.subjects.set(id, doc ? (doc.body.subject ?? '') : null);
    }
  }

  private rest(of: string, ms: number): void {
    const now = this.shell.deps.clock.elapsed();
    if (this.resting.size >= mostResting)
      for (const [other, until] of this.resting) if (until <= now) this.resting.delete(other);
    this.resting.set(of, now + ms);
  }

  private isOver(): boolean {
    return this.over;
  }

  /** The present memories that are nearest to these turns, as far as each of the runs may recall them. */
  private async known(runs: readonly RunRecord[], turns: readonly Turn[]): Promise<KnownMemory[]> {
    const { deps, entity } = this.shell;
    if (!runs.every(({ powers }) => allows(powers, 'memory:read'))) return [];
    const now = deps.clock.now();
    const spaces = seenBy(entity, runs[0] ?? {});
    const nearness = new Map<string, number>();
    for (const { content: query } of turns) {
      const looked = { query, spaces, limit: mostFound, minRelevance: 0, turnsSince: now, now };
      for (const { kind, id, relevance } of await deps.recall.search(looked))
        if (kind === 'memory') nearness.set(id, Math.max(relevance, nearness.get(id) ?? 0));
    }
    const nearest = [...nearness].sort(([, a], [, b]) => b - a).slice(0, mostFound);
    const found = await allOf(nearest.map(([id]) => finish(this.present.byId(id))));
    return found
      .flatMap((m) =>
        m && mayBeReplaced(m, now) && runs.every((run) => mayRecall(run, m.sessionId ?? null) && maySee(run, m))
          ? [{ id: m.id, content: m.content, at: m.occurred_at ?? m.created_at }]
          : [],
      )
      .slice(0, mostKnown);
  }

  private async ask(
    model: AgentConfig['model'],
    of: string,
    turns: readonly Turn[],
    known: readonly KnownMemory[],
    ended: () => void,
  ): Promise<void> {
    const { deps, entity } = this.shell;
    const { runs, abort } = this.requests.get(of) as Request;
    try {
      const said = turns.map(({ content, created_at: at }) => ({ content, at }));
      const found = await deps.reasonerFor(model).extract?.(said, known, abort.signal);
      const cited = (found?.spans ?? []).flatMap(({ turn, replaces, ...span }): Cited[] => {
        const told = turns[turn];
        const shown = known.some(({ id }) => id === replaces) && replaces !== undefined;
        return told ? [{ ...span, run: told.runId, turn: told.id, ...(shown && { replaces }) }] : [];
      });
      this.tries = 0;
      deps.metrics.learning(cited.length > 0 ? 'learnt' : 'nothing', runs.length);
      this.shell.tell({ type: 'learnt', of, runs, cited, ...(found?.usage && { usage: found.usage }) });
    } catch (error) {
      if (abort.signal.aborted) {
        if (abort.signal.reason === givesWay) this.askAgain(of);
        return;
      }
      if (error instanceof ReasonerError && error.fault === 'away' && ++this.tries < mostTries) {
        this.requests.delete(of);
        this.later(Math.min(Math.max(error.retryAfterMs ?? 0, backoffMs(retry, this.tries)), retry.longestMs));
        return;
      }
      this.tries = 0;
      deps.log.warn(
        { event: 'learning.failed', err: error, agent: entity.id, workspace: entity.workspace, runs: runs.length },
        'A model could not learn from what was said to an agent; nothing else depends on it',
      );
      const usage = error instanceof ReasonerError ? error.usage : undefined;
      deps.metrics.learning('failed', runs.length);
      this.shell.tell({ type: 'learnt', of, runs, cited: [], ...(usage && { usage }) });
    } finally {
      ended();
      if (!this.requests.has(of)) this.consider();
    }
  }

  /** A run wants the server: it is asked about this again when that has room. */
  private askAgain(of: string): void {
    const { deps } = this.shell;
    deps.metrics.learning('gave_way', this.requests.get(of)?.runs.length ?? 0);
    this.requests.delete(of);
    this.resting.delete(of);
    this.notBefore = deps.clock.elapsed() + busyMs;
  }

  /** Has what was cited decided on (Learner.Q2). */
  async take({ of, runs, cited, usage }: Extract<LearnerMessage, { type: 'learnt' }>): Promise<void> {
    const { shell, present } = this;
    await shell.writer.settled();
    if (!shell.state) return;
    const memories = shell.state.counts['memories'] ?? 0;
    try {
      const learnt: LearntFrom[] = [];
      for (const run of await this.records([...new Set(cited.map((c) => c.run))])) {
        const kept: Learnt[] = [];
        for (const turn of saidTurnsOf(run)) {
          const spans = spansOf(turn, cited);
          const whole =
            spans.length > 0 &&
            isWhole(
              turn.content,
              spans.map(({ content }) => content),
            );
          for (const span of spans) {
            const around = await finish(present.around({ ...span, ...withSubject(run) }, memories));
            const named = span.replaces === undefined ? null : await finish(present.byId(span.replaces));
            const candidates = [...(around.candidates ?? []), ...(named ? [named] : [])];
            kept.push({ ...span, whole, said: turn.created_at, around: { ...around, candidates } });
          }
        }
        if (kept.length > 0) learnt.push({ run, learnt: kept });
      }
      const countFor = usage && of && (await finish(shell.deps.modelBudgets.sumOf(shell.entity, of)));
      if (of !== null) this.requests.delete(of);
      shell.handleCommand(
        { type: 'learn', runs, learnt, ...(usage && { usage }), ...(countFor && { countFor }) },
        null,
      );
      this.tellWaiting();
    } catch (error) {
      if (!outageOf(error)) throw error;
      if (of !== null) this.requests.delete(of);
      this.later(retry.firstMs);
    }
  }

  /** Those of the runs that are still there. */
  private async records(ids: readonly string[]): Promise<RunRecord[]> {
    const { deps, entity } = this.shell;
    const found = await allOf(ids.map((id) => deps.store.get(entity, 'run', id)));
    return found.flatMap((doc) => (doc ? [unpackRun(doc)] : []));
  }

  private later(ms: number): void {
    this.notBefore = this.shell.deps.clock.elapsed() + ms;
    this.wait(this.notBefore);
  }

  stop(): void {
    this.over = true;
    this.tellWaiting();
    this.cancelTimer?.();
    this.cancelTimer = null;
    for (const { abort } of this.requests.values()) abort.abort();
    this.leave();
  }
}

const givesWay = 'a run wants the server';

/** The turns of a run, without the data that came with its input. */
const saidTurnsOf = (run: RunRecord): Turn[] =>
  ownTurnsOf(run).map((turn) => (turn.id === inputTurnId(run.id) ? { ...turn, content: saidBy(run) } : turn));

/** The turns of the first runs, as many as one request takes, and the runs that are done with by it. */
function chosen(records: readonly RunRecord[], ids: readonly string[]): { read: readonly string[]; turns: Turn[] } {
  const turns: Turn[] = [];
  let left = mostCharacters;
  for (const [i, id] of ids.entries()) {
    const run = records.find((record) => record.id === id);
    const said = (run ? saidTurnsOf(run) : []).filter(
      ({ role, content }) => role === 'user' && content.trim() !== '' && content.length <= longestTurn,
    );
    left -= said.reduce((sum, { content }) => sum + content.length, 0);
    if (left < 0 && i > 0) return { read: ids.slice(0, i), turns };
    turns.push(...said);
  }
  return { read: ids, turns };
}

function spansOf(turn: Turn, cited: readonly Cited[]): Pick<Learnt, 'type' | 'content' | 'replaces' | 'until'>[] {
  const spans = new Map<string, ReturnType<typeof spansOf>[number]>();
  if (turn.role !== 'user') return [];
  for (const { turn: id, quote, type = 'semantic', replaces, until } of cited) {
    const content = id === turn.id ? spanIn(turn.content, quote) : null;
    if (content !== null && spans.size < mostSpans)
      spans.set(content, { type, content, ...(replaces && { replaces }), ...(until && { until }) });
  }
  return [...spans.values()];
}
