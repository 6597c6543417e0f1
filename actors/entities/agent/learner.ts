/**
 * Has an agent's model learn from the runs that have ended (Learnt.N4), beside everything else that the agent does.
 *
 *  Learner.Q1 One request of an agent is in progress at a time, and only while the agent has one of its process's
 *     places (LearningPlaces.L1). An agent's requests begin at least `pauseMs` apart; what has ended meanwhile is read
 *     by one request.
 *  Learner.Q2 A request tells the model only what clients said in these runs. What it cites is kept as the run has it
 *     (Spans.P1), if the run is still there.
 *  Learner.Q3 A failure costs nothing but what would have been learnt: it is tried again a few times, logged once, and
 *     then the runs are left alone. An agent that may no longer learn, or a workspace without storage, asks no model.
 */
import { type Learnt, type LearntFrom, stillLearns } from '../../../src/domain/learning.js';
import type { RunRecord } from '../../../src/domain/agent-state.js';
import { turnsOf } from '../../../src/domain/conversation.js';
import type { AgentConfig } from '../../../src/domain/inputs.js';
import type { Turn } from '../../../src/domain/model.js';
import { unpackRun } from '../../../src/domain/stored-run.js';
import { isWhole, mostSpans, spanIn } from '../../../src/english/spans.js';
import { allSync } from '../../../src/maybe-promise.js';
import { ReasonerError } from '../../../src/reasoner/port.js';
import type { PresentMemories } from '../present-memories.js';
import { outageOf } from '../outages.js';
import type { AgentShell, Cited, LearnerMessage } from './messages.js';

const pauseMs = 10_000;
const mostRuns = 10;
const mostCharacters = 16_000;
/** A longer text is a document, not a remark. */
const longestTurn = 4000;
const mostTries = 3;
const firstRetryMs = 30_000;

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
    private readonly tell: (request: LearnerMessage) => void,
  ) {}

  private get line(): readonly string[] {
    const agent = this.shell.state?.agent;
    return agent && !agent.deleting ? (agent.toLearn ?? []) : [];
  }

  /** Call this when there may be runs in line. */
  consider(): void {
    if (this.over || this.busy || this.cancelTimer || this.line.length === 0 || this.shell.deps.stopping()) return;
    const { clock, learningPlaces } = this.shell.deps;
    const wait = this.notBefore - clock.elapsed();
    if (wait > 0) {
      this.cancelTimer = clock.after(wait, () => {
        this.cancelTimer = null;
        this.consider();
      });
      return;
    }
    this.busy = true;
    this.leave = learningPlaces.enter(() => {
      this.tell({ type: 'study' });
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
      if (exceeded || !stillLearns(agent, counts['lasting'])) {
        this.tell({ type: 'learnt', runs, cited: [] });
        return false;
      }
      await writer.settled();
      const { read, turns } = chosen(await this.records(runs), runs);
      if (this.over) return false;
      if (turns.length === 0) {
        this.tell({ type: 'learnt', runs: read, cited: [] });
        return false;
      }
      void this.ask(agent.config.model, read, turns);
      return true;
    } catch (error) {
      if (!outageOf(error)) throw error;
      this.later(firstRetryMs);
      return false;
    }
  }

  private async ask(model: AgentConfig['model'], runs: readonly string[], turns: readonly Turn[]): Promise<void> {
    const { deps, entity } = this.shell;
    const abort = (this.abort = new AbortController());
    this.notBefore = deps.clock.elapsed() + pauseMs;
    try {
      const texts = turns.map(({ content }) => content);
      const found = await deps.reasonerFor(model).extract?.(texts, abort.signal);
      const cited = (found?.spans ?? []).flatMap(({ turn, quote }): Cited[] => {
        const of = turns[turn];
        return of ? [{ run: of.runId, turn: of.id, quote }] : [];
      });
      this.tries = 0;
      this.tell({ type: 'learnt', runs, cited, ...(found?.usage && { usage: found.usage }) });
    } catch (error) {
      if (abort.signal.aborted) return;
      const passing = error instanceof ReasonerError && (error.code === 'timeout' || error.code === 'unreachable');
      if (passing && ++this.tries < mostTries) {
        this.later(firstRetryMs * 2 ** (this.tries - 1));
        return;
      }
      this.tries = 0;
      deps.log.warn(
        { event: 'learning.failed', err: error, agent: entity.id, workspace: entity.workspace, runs: runs.length },
        'A model could not learn from what was said to an agent; nothing else depends on it',
      );
      const usage = error instanceof ReasonerError ? error.usage : undefined;
      this.tell({ type: 'learnt', runs, cited: [], ...(usage && { usage }) });
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
    const empty = !shell.state.counts['memories'];
    try {
      const learnt: LearntFrom[] = [];
      for (const run of await this.records([...new Set(cited.map((c) => c.run))])) {
        const kept: Learnt[] = [];
        for (const turn of turnsOf(run)) {
          const spans = spansOf(turn, cited);
          const whole = spans.length > 0 && isWhole(turn.content, spans);
          for (const content of spans)
            kept.push({ content, whole, around: await present.around({ type: 'semantic', content }, empty) });
        }
        if (kept.length > 0) learnt.push({ run, learnt: kept });
      }
      this.busy = false;
      shell.handle({ type: 'learn', runs, learnt, ...(usage && { usage }) }, null);
    } catch (error) {
      if (!outageOf(error)) throw error;
      this.later(firstRetryMs);
    }
  }

  /** Those of the runs that are still there. */
  private async records(ids: readonly string[]): Promise<RunRecord[]> {
    const { deps, entity } = this.shell;
    const found = await allSync(ids.map((id) => deps.store.get(entity, 'run', id)));
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

/** The turns of the first runs, as many as one request takes, and the runs that are done with by it. */
function chosen(records: readonly RunRecord[], ids: readonly string[]): { read: readonly string[]; turns: Turn[] } {
  const turns: Turn[] = [];
  let left = mostCharacters;
  for (const [i, id] of ids.entries()) {
    const run = records.find((record) => record.id === id);
    const said = (run ? turnsOf(run) : []).filter(
      ({ role, content }) => role === 'user' && content.trim() !== '' && content.length <= longestTurn,
    );
    left -= said.reduce((sum, { content }) => sum + content.length, 0);
    if (left < 0 && i > 0) return { read: ids.slice(0, i), turns };
    turns.push(...said);
  }
  return { read: ids, turns };
}

const spansOf = (turn: Turn, cited: readonly Cited[]): string[] => {
  const spans = cited.filter((c) => c.turn === turn.id).map(({ quote }) => spanIn(turn.content, quote));
  return turn.role === 'user' ? [...new Set(spans.filter((span) => span !== null))].slice(0, mostSpans) : [];
};
