/**
 * An agent as small JSON that a model can explore, and the real decisions on it (src/domain/agent/agent.ts) with small bounds.
 * A state holds only what the decisions about waking depend on. All else is filled in from a template that the real
 * decisions have made, and is dropped again afterwards: texts, journals, counts and times of day.
 */
import { cancels } from '../unit/domain/support/commands.js';
import type { ActiveRun } from '../../src/domain/shared/snapshots.js';
import { decided } from '../../src/commands/command.js';
import { deleteMessage, deliverMessage } from '../../src/commands/mailbox.js';
import type { AgentCommand } from '../../src/domain/agent/agent-commands.js';
import { decideAgent, hasWork, newAgent } from '../../src/domain/agent/agent.js';
import {
  type AgentState,
  emptyPositions,
  type LiveRun,
  type RunRecord,
  type StepReport,
  type StoredMessage,
} from '../../src/domain/agent/agent-state.js';
import type { Env } from '../../src/domain/shared/draft.js';
import { noSessions } from '../../src/domain/run/conversation.js';
import { mayWakeWithin } from '../../src/domain/mailbox/mailbox.js';
import { nextToBegin } from '../../src/domain/run/run-queue.js';
import { unpackRun } from '../../src/domain/run/stored-run.js';

export type Decide = typeof decideAgent;

export interface Message {
  id: string;
  wakes: number;
  isRead: boolean;
}
/** Runs are named by the time of the decision that made them. */
export interface Active {
  id: number;
  /** Whether it belongs to the session that several runs share; any other has one of its own. */
  shares: boolean;
  /** The message that triggered it; empty for a run that a client started. */
  wokenBy: string;
}
export interface Run extends Active {
  status: 'pending' | 'running' | 'ended';
  steps: number;
  budget: number;
  /** What only the memory of a worker holds. */
  attempt: number;
  stepping: boolean;
  reads: string[];
}
/** What the head of an agent holds. */
export interface Head {
  running: Active[];
  pending: Active[];
  unread: number;
}
export interface SmallAgent extends Head {
  runs: Run[];
  inMemory: Message[];
  moreMayWake: boolean;
  mailDue: boolean;
}
export type SmallCommand =
  | { type: 'receive'; id: string }
  | { type: 'start'; shares: boolean }
  | { type: 'startNext'; run: Run }
  | { type: 'step'; run: number; attempt: number; says: StepReport }
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
  fetchNext: boolean;
  /** A report counted. */
  counted: boolean;
}

/** Stands for no time. */
export const none = -1;

export interface Bounds {
  steps: number;
  carried: number;
  maxParallel: number;
  /** Whether messages wake the agent. */
  wakes: boolean;
  unreadInMemory: number;
  unreadPerStep: number;
  maxWakes: number;
}

export class SmallAgents {
  readonly mayWake: (message: Message) => boolean;
  readonly fresh: SmallAgent;
  private readonly env: Omit<Env, 'now'>;
  private readonly decided = new Map<string, string>();
  private spawned: AgentState;
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
    this.spawned = newAgent(
      'agent_1',
      { name: 'Ada', wake_on_message: true, config: { max_parallel: bounds.maxParallel } },
      { ...this.env, now: 0 },
    ).state;
    const { state } = decideAgent(this.spawned, this.fullCommand({ type: 'receive', id: 'm' }), {
      ...this.env,
      now: 1,
    });
    this.message = state.unread[0]!;
    this.run = [...state.runs.values()][0]!;
    this.spawned = { ...this.spawned, agent: { ...this.spawned.agent, wake_on_message: bounds.wakes } };
    this.fresh = this.small(this.spawned);
    const wakes = mayWakeWithin(bounds);
    this.mayWake = (m) => !m.isRead && wakes(this.fullMessage(m));
  }

  /** The run whose turn it is. */
  next(agent: SmallAgent): number | undefined {
    const next = nextToBegin(this.full(agent).agent);
    return next && numberOf(next.id);
  }

  /**
   * As the shell reads them (actors/entities/agent/agent-reads.ts), page by page: the oldest unread messages, the
   * oldest that may wake, and those that woke the runs that are pending or running.
   */
  readMailbox(stored: readonly Message[], runs: readonly Active[]): Pick<SmallAgent, 'inMemory' | 'moreMayWake'> {
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
      if (wokenBy !== '' && !inMemory.some((m) => m.id === wokenBy))
        inMemory.push(...unread.filter((m) => m.id === wokenBy));
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
      runs: puts
        .filter((put) => put.kind === 'run')
        .map(({ id, body }) =>
          smallRun({
            ...this.run,
            record: unpackRun({ id, entity: { id: 'agent_1' }, body }),
            attempt: 0,
            stepping: false,
            reads: [],
          }),
        ),
      messages: [
        ...written<StoredMessage>('message').map(smallMessage),
        ...deletes.map(({ id }) => ({ id, wakes: 0, isRead: true })),
      ],
      spent: spent.reduce((a, b) => a + b, 0),
      refill: effects.some((e) => e.type === 'refill'),
      fetchNext: effects.some((e) => e.type === 'fetchNext'),
      counted: result === true,
    };
  }

  private fullCommand(c: SmallCommand): AgentCommand {
    switch (c.type) {
      case 'receive':
        return decided(
          deliverMessage,
          {
            caller: null,
            target: { id: 'agent_1' },
            input: { id: c.id, content: 'x', from: 'agent_2', hops: 1, budget: this.bounds.carried },
          },
          { isKnown: false, hives: [] },
        );
      case 'step':
        return { ...c, runId: runId(c.run), report: c.says, usedMs: 0 };
      case 'start':
        return {
          type: 'run',
          input: 'x',
          triggeredBy: 'api',
          direct: false,
          ...(c.shares && { sessionId: sharedSession }),
        };
      case 'startNext':
        return { ...c, run: this.fullRun(c.run) };
      case 'cancel':
        return cancels(this.fullRun(c.run));
      case 'deleteMessage':
        return decided(
          deleteMessage,
          { caller: null, target: { id: 'agent_1', messageId: c.message.id }, input: undefined },
          this.fullMessage(c.message),
        );
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
        running: a.running.map(fullActive),
        pending: a.pending.map(fullActive),
        unread: a.unread,
      },
      runs: new Map(a.runs.map((run) => [runId(run.id), this.fullRun(run)])),
      unread: a.inMemory.map((m) => this.fullMessage(m)),
      moreMayWake: a.moreMayWake,
      mailDue: a.mailDue,
      positions: emptyPositions,
      sessions: noSessions,
    };
  }

  private small({ agent, runs, unread, moreMayWake, mailDue }: AgentState): SmallAgent {
    return {
      running: agent.running.map(smallActive),
      pending: agent.pending.map(smallActive),
      unread: agent.unread,
      runs: [...runs.values()].map(smallRun),
      inMemory: unread.map(smallMessage),
      moreMayWake,
      mailDue,
    };
  }

  private fullRun(run: Run): LiveRun {
    const { status, steps, budget, wokenBy, attempt, stepping, reads } = run;
    const record: RunRecord = {
      ...this.run.record,
      id: runId(run.id),
      sessionId: sessionOf(run),
      triggeredBy: wokenBy === '' ? 'api' : 'message',
      messageId: wokenBy === '' ? null : wokenBy,
      status: status === 'ended' ? 'completed' : status,
      steps,
      budget,
      entryId: null,
    };
    return { ...this.run, record, entry: null, transcript: [], attempt, stepping, reads };
  }

  private fullMessage({ id, wakes, isRead }: Message): StoredMessage {
    return { ...this.message, id, created_at: id, wakes, read_at: isRead ? id : null };
  }
}

const runId = (time: number): string => `run_${time}`;
const numberOf = (id: string): number => Number(id.slice(4));

const sharedSession = 'shared';
const sessionOf = ({ id, shares }: Active): string => (shares ? sharedSession : `session_${id}`);
const fullActive = (run: Active): ActiveRun => ({
  id: runId(run.id),
  session: sessionOf(run),
  ...(run.wokenBy !== '' && { message: run.wokenBy }),
});
const smallActive = ({ id, session, message = '' }: ActiveRun): Active => ({
  id: numberOf(id),
  shares: session === sharedSession,
  wokenBy: message,
});

const smallMessage = ({ id, wakes, read_at }: StoredMessage): Message => ({ id, wakes, isRead: read_at !== null });
const smallRun = ({ record, attempt, stepping, reads }: LiveRun): Run => ({
  id: numberOf(record.id),
  shares: record.sessionId === sharedSession,
  wokenBy: record.messageId ?? '',
  status: record.status === 'pending' || record.status === 'running' ? record.status : 'ended',
  steps: record.steps,
  budget: record.budget ?? 0,
  attempt,
  stepping,
  reads: [...reads],
});
