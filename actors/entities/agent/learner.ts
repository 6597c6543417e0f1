/**
 * Has an agent's model learn from the runs that have ended (Learnt.N4), beside everything else that the agent does.
 *
 *  Learner.Q1 One request of an agent is in progress at a time, and only while the agent has one of its process's
 *     `mostLearning` places. An agent's requests begin at least `pauseMs` apart; what has ended meanwhile is read
 *     by one request.
 *  Learner.Q2 A request tells the model only what clients said in these runs, which are of one subject, and the
 *     memories nearest to that which each of these runs may recall. What it cites is kept as the run has it (Spans.P1),
 *     if the run is still there; it replaces no memory but one of those.
 *  Learner.Q3 A failure costs nothing but what would have been learnt: while models are away it is tried again, for
 *     about half an hour, then it is logged once, and the runs are left alone. An agent that may no longer learn, or a
 *     workspace without storage, asks no model.
 */
import { backoffMs, type Backoff } from '../../../src/domain/shared/clock.js';
import { type Learnt, type LearntFrom, mayBeReplaced, stillLearns } from '../../../src/domain/agent/learning.js';
import type { RunRecord } from '../../../src/domain/agent/agent-state.js';
import { inputTurnId, ownTurnsOf, saidBy } from '../../../src/domain/run/conversation.js';
import type { AgentConfig } from '../../../src/domain/agent/agent-config.js';
import type { Turn } from '../../../src/domain/model/model.js';
import { unpackRun } from '../../../src/domain/run/stored-run.js';
import { allows, isSameSubject, mayRecall, maySee, seenBy, withSubject } from '../../../src/domain/shared/caller.js';
import { isWhole, mostSpans, spanIn } from '../../../src/english/spans.js';
import { allOf, finish } from '../../../src/maybe-promise.js';
import { type KnownMemory, ReasonerError } from '../../../src/reasoner/port.js';
import type { PresentMemories } from '../present-memories.js';
import { outageOf } from '../outages.js';
import type { AgentShell, Cited, LearnerMessage } from './messages.js';

/** So many agents of a process learn at a time. */
export const mostLearning = 4;
const pauseMs = 10_000;
const mostRuns = 10;
const mostCharacters = 16_000;
/** A longer text is a document, not a remark. */
const longestTurn = 4000;
/** So many memories are shown to the model, and so many of each turn's search are looked at for them. */
const mostKnown = 10;
const mostFound = 30;
const mostTries = 8;
const retry: Backoff = { firstMs: 30_000, longestMs: 600_000 };

export class Learner {
  private abort: AbortController | null = null;
  private cancelTimer: (() => void) | null = null;
  /** From asking for a place until the outcome is decided on. */
  private busy = false;
  /** Leaves the place, or the line for one, that this agent was last in. */
  private leave: () => void = () => undefined;
  private over = false;
  private notBefore = 0;
  private tries = 0;

  constructor(
    private readonly shell: AgentShell,
    private readonly present: PresentMemories,
  ) {}

  private get line(): readonly string[] {
    const agent = this.shell.state?.agent;
    return agent && !agent.deleting ? (agent.toLearn ?? []) : [];
  }

  /** Call this when there may be runs in line. */
  consider(): void {
    if (this.over || this.busy || this.cancelTimer || this.line.length === 0 || this.shell.deps.stopping()) return;
    const { clock, learning } = this.shell.deps;
    const wait = this.notBefore - clock.elapsed();
    if (wait > 0) {
      this.cancelTimer = clock.after(wait, () => {
        this.cancelTimer = null;
        this.consider();
      });
      return;
    }
    this.busy = true;
    this.leave = learning.enter(() => {
      this.shell.tell({ type: 'study' });
    });
  }

  /** Asks the model about the first runs in line. What comes of it is told to the actor. */
  async study(): Promise<void> {
    const asked = await this.begin();
    if (!asked) this.leave();
  }

  /** Whether there was something to ask, and the agent keeps its place until that is answered. */
  private async begin(): Promise<boolean> {
    const { deps, entity, state, writer } = this.shell;
    const runs = this.line.slice(0, mostRuns);
    if (!state || runs.length === 0) {
      this.busy = false;
      return false;
    }
    const { agent, counts } = state;
    try {
      const exceeded = await deps.bounds.storageExceeded(entity.workspace);
      const isSpent = (await deps.modelBudgets.usedUp(entity.workspace)) !== null;
      if (exceeded || isSpent || !stillLearns(agent, counts['lasting'])) {
        this.shell.tell({ type: 'learnt', runs, cited: [] });
        return false;
      }
      await writer.settled();
      const all = await this.records(runs);
      // of one subject at a time: what is said of one is no part of a request about another
      const records = all.filter((run) => isSameSubject(run, all[0] ?? {}));
      const left = runs.filter((id) => !all.some((run) => run.id === id && !records.includes(run)));
      const { read, turns } = chosen(records, left);
      if (this.over) return false;
      if (turns.length === 0) {
        this.shell.tell({ type: 'learnt', runs: read, cited: [] });
        return false;
      }
      const known = await this.known(records, turns);
      if (this.isOver()) return false;
      void this.ask(agent.config.model, read, turns, known);
      return true;
    } catch (error) {
      if (!outageOf(error)) throw error;
      this.later(retry.firstMs);
      return false;
    }
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
    runs: readonly string[],
    turns: readonly Turn[],
    known: readonly KnownMemory[],
  ): Promise<void> {
    const { deps, entity } = this.shell;
    const abort = (this.abort = new AbortController());
    this.notBefore = deps.clock.elapsed() + pauseMs;
    try {
      const said = turns.map(({ content, created_at: at }) => ({ content, at }));
      const found = await deps.reasonerFor(model).extract?.(said, known, abort.signal);
      const cited = (found?.spans ?? []).flatMap(({ turn, replaces, ...span }): Cited[] => {
        const of = turns[turn];
        const shown = known.some(({ id }) => id === replaces) && replaces !== undefined;
        return of ? [{ ...span, run: of.runId, turn: of.id, ...(shown && { replaces }) }] : [];
      });
      this.tries = 0;
      this.shell.tell({ type: 'learnt', runs, cited, ...(found?.usage && { usage: found.usage }) });
    } catch (error) {
      if (abort.signal.aborted) return;
      if (error instanceof ReasonerError && error.fault === 'away' && ++this.tries < mostTries) {
        this.later(Math.min(Math.max(error.retryAfterMs ?? 0, backoffMs(retry, this.tries)), retry.longestMs));
        return;
      }
      this.tries = 0;
      deps.log.warn(
        { event: 'learning.failed', err: error, agent: entity.id, workspace: entity.workspace, runs: runs.length },
        'A model could not learn from what was said to an agent; nothing else depends on it',
      );
      const usage = error instanceof ReasonerError ? error.usage : undefined;
      this.shell.tell({ type: 'learnt', runs, cited: [], ...(usage && { usage }) });
    } finally {
      this.leave();
      this.abort = null;
    }
  }

  /** Has what was cited decided on (Learner.Q2). */
  async take({ runs, cited, usage }: Extract<LearnerMessage, { type: 'learnt' }>): Promise<void> {
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
      this.busy = false;
      shell.handleCommand({ type: 'learn', runs, learnt, ...(usage && { usage }) }, null);
    } catch (error) {
      if (!outageOf(error)) throw error;
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
    this.busy = false;
    this.consider();
  }

  stop(): void {
    this.over = true;
    this.cancelTimer?.();
    this.cancelTimer = null;
    this.abort?.abort();
    this.leave();
  }
}

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
