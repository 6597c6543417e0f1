/**
 * An agent as small JSON that a model can explore, and the real decisions on it (src/domain/agent.ts) with small bounds.
 * A state holds only what the decisions about waking depend on. All else is filled in from a template that the real
 * decisions have made, and is dropped again afterwards: texts, journals, counts and times of day.
 */
import type { AgentCommand } from '../../src/domain/agent-commands.js';
import { decideAgent, hasWork, spawnAgent } from '../../src/domain/agent.js';
import {
  type AgentState,
  emptyPositions,
  type LiveRun,
  type RunRecord,
  type StepReport,
  type StoredMessage,
} from '../../src/domain/agent-state.js';
import type { Env } from '../../src/domain/change.js';
import { noSessions } from '../../src/domain/conversation.js';
import { mayWakeWithin, messagesForNextStep } from '../../src/domain/mailbox.js';
import { isTerminal } from '../../src/domain/model.js';

export type Decide = typeof decideAgent;

export interface Message {
  id: string;
  wakes: number;
  isRead: boolean;
}
/** Runs are named by the time of the decision that made them. */
export interface Run {
  id: number;
  isActive: boolean;
  steps: number;
  budget: number;
  wokenBy: string;
  /** What only the memory of a worker holds. */
  attempt: number;
  stepping: boolean;
}
/** What the head of an agent holds. */
export interface Head {
  running: number;
  unread: number;
}
export interface SmallAgent extends Head {
  runs: Run[];
  inMemory: Message[];
  moreMayWake: boolean;
}
export type SmallCommand =
  | { type: 'receive'; id: string }
  | { type: 'step'; run: number; attempt: number; read: readonly string[]; says: StepReport }
  | { type: 'cancel'; run: Run }
  | { type: 'deleteMessage'; message: Message }
  | { type: 'refill'; messages: readonly Message[]; moreMayWake: boolean }
  | { type: 'continue' };
export interface SmallDecision {
  agent: SmallAgent;
  /** Its head asks that it is loaded again. */
  hasWork: boolean;
  /** What is written; a message that is deleted is as good as one that was read. */
  runs: Run[];
  messages: Message[];
  /** What the messages that it sends take from budgets. */
  spent: number;
  refill: boolean;
  /** A report counted. */
  counted: boolean;
}

export const none = -1;

export interface Bounds {
  steps: number;
  carried: number;
  unreadInMemory: number;
  unreadPerStep: number;
  maxWakes: number;
}

export class SmallAgents {
  readonly mayWake: (message: Message) => boolean;
  readonly fresh: SmallAgent;
  private readonly env: Omit<Env, 'now'>;
  private readonly decided = new Map<string, string>();
  private readonly spawned: AgentState;
  private readonly run: LiveRun;
  private readonly message: StoredMessage;

  constructor(
    private readonly bounds: Bounds,
    private readonly decision: Decide = decideAgent,
  ) {
    this.env = {
      ids: (kind, at) => `${kind}_${at}`,
      defaults: { maxSteps: bounds.steps, maxRuntimeSeconds: 60, messageBudget: 1 },
      mailbox: bounds,
      remarkOf: () => 'tells',
    };
    this.spawned = spawnAgent('agent_1', { name: 'Ada', wake_on_message: true }, { ...this.env, now: 0 }).state;
    const { state } = decideAgent(this.spawned, this.fullCommand({ type: 'receive', id: 'm' }), {
      ...this.env,
      now: 1,
    });
    this.message = state.unread[0]!;
    this.run = [...state.runs.values()][0]!;
    this.fresh = this.small(this.spawned);
    const wakes = mayWakeWithin(bounds);
    this.mayWake = (m) => !m.isRead && wakes(this.fullMessage(m));
  }

  /** The messages that a step takes in which begins now. */
  readBy(agent: SmallAgent, run?: Run): string[] {
    const unread = agent.inMemory.map((m) => this.fullMessage(m));
    return messagesForNextStep(unread, run && this.fullRun(run).record, this.bounds).map((m) => m.id);
  }

  /**
   * As the shell reads them (actors/entities/agent/mailbox-reads.ts), page by page: the oldest unread messages, the
   * oldest that may wake, and those that woke the runs in memory.
   */
  readMailbox(stored: readonly Message[], runs: readonly Run[]): Pick<SmallAgent, 'inMemory' | 'moreMayWake'> {
    const unread = stored.filter((m) => !m.isRead);
    const inMemory: Message[] = [];
    let moreMayWake = false;
    const size = this.bounds.unreadInMemory;
    for (let at = 0; at < unread.length && !inMemory.some(this.mayWake); at += size) {
      const page = unread.slice(at, at + size);
      const waking = page.filter(this.mayWake);
      moreMayWake = at + size < unread.length || (at > 0 && waking.length > 1);
      inMemory.push(...(at === 0 ? page : waking.slice(0, 1)));
    }
    for (const { wokenBy } of runs)
      if (!inMemory.some((m) => m.id === wokenBy)) inMemory.push(...unread.filter((m) => m.id === wokenBy));
    return { inMemory, moreMayWake };
  }

  /** Decides at a time that is later than all others. The same question comes up in many states, and is decided once. */
  decide(agent: SmallAgent, command: SmallCommand, now: number): SmallDecision {
    const question = JSON.stringify([agent, command, now]);
    let decided = this.decided.get(question);
    if (decided === undefined)
      this.decided.set(question, (decided = JSON.stringify(this.decideAnew(agent, command, now))));
    return JSON.parse(decided) as SmallDecision;
  }

  private decideAnew(agent: SmallAgent, command: SmallCommand, now: number): SmallDecision {
    const { state, puts, deletes, effects, result } = this.decision(this.full(agent), this.fullCommand(command), {
      ...this.env,
      now,
    });
    const written = <T>(kind: string): T[] => puts.filter((p) => p.kind === kind).map((p) => p.body as T);
    const spent = written<{ budget?: number }>('outbox').map(({ budget = 0 }) => 1 + budget);
    return {
      agent: this.small(state),
      hasWork: hasWork({ ...state, agent: { ...state.agent, outbox: 0 } }),
      runs: written<RunRecord>('run').map((record) => smallRun({ ...this.run, record, attempt: 0, stepping: false })),
      messages: [
        ...written<StoredMessage>('message').map(smallMessage),
        ...deletes.map(({ id }) => ({ id, wakes: 0, isRead: true })),
      ],
      spent: spent.reduce((a, b) => a + b, 0),
      refill: effects.some((e) => e.type === 'refill'),
      counted: result === true,
    };
  }

  private fullCommand(c: SmallCommand): AgentCommand {
    switch (c.type) {
      case 'receive':
        return { ...c, message: { content: 'x' }, hops: 1, budget: this.bounds.carried, known: null };
      case 'step':
        return { ...c, runId: runId(c.run), report: c.says, usedMs: 0 };
      case 'cancel':
        return { ...c, run: this.fullRun(c.run) };
      case 'deleteMessage':
        return { ...c, message: this.fullMessage(c.message) };
      case 'refill':
        return { ...c, messages: c.messages.map((m) => this.fullMessage(m)) };
      case 'continue':
        return c;
    }
  }

  private full(a: SmallAgent): AgentState {
    return {
      ...this.spawned,
      agent: {
        ...this.spawned.agent,
        running: a.running === none ? null : runId(a.running),
        unread: a.unread,
      },
      runs: new Map(a.runs.map((run) => [runId(run.id), this.fullRun(run)])),
      unread: a.inMemory.map((m) => this.fullMessage(m)),
      moreMayWake: a.moreMayWake,
      positions: emptyPositions,
      sessions: noSessions,
    };
  }

  private small({ agent, runs, unread, moreMayWake }: AgentState): SmallAgent {
    if (agent.pending.length > 0) throw new Error('the model has no runs that wait');
    return {
      running: agent.running === null ? none : numberOf(agent.running),
      unread: agent.unread,
      runs: [...runs.values()].map(smallRun),
      inMemory: unread.map(smallMessage),
      moreMayWake,
    };
  }

  private fullRun({ id, isActive, steps, budget, wokenBy, attempt, stepping }: Run): LiveRun {
    const status = isActive ? 'running' : 'completed';
    const changes = { id: runId(id), status, steps, budget, messageId: wokenBy, entryId: null } as const;
    const record = { ...this.run.record, ...changes };
    return { ...this.run, record, entry: null, transcript: [], attempt, stepping };
  }

  private fullMessage({ id, wakes, isRead }: Message): StoredMessage {
    return { ...this.message, id, created_at: id, wakes, read_at: isRead ? id : null };
  }
}

const runId = (time: number): string => `run_${time}`;
const numberOf = (id: string): number => Number(id.slice(4));

const smallMessage = ({ id, wakes, read_at }: StoredMessage): Message => ({ id, wakes, isRead: read_at !== null });
const smallRun = ({ record, attempt, stepping }: LiveRun): Run => ({
  id: numberOf(record.id),
  isActive: !isTerminal(record.status),
  steps: record.steps,
  budget: record.budget ?? 0,
  wokenBy: record.messageId ?? '',
  attempt,
  stepping,
});
