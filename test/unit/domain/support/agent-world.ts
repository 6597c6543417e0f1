/**
 * One agent, what a store would hold of it, a clock and ids: commands go in, decisions come out, and after each the
 * invariants are checked and the state is frozen. Also plays the shell: it reads what a command needs.
 */
import { expect } from 'chai';
import type { AgentSnapshot } from '../../../../src/domain/shared/snapshots.js';
import type { AgentCommand } from '../../../../src/domain/agent/agent-commands.js';
import { decideAgent, newAgent } from '../../../../src/domain/agent/agent.js';
import type { AgentDecision } from '../../../../src/domain/agent/agent-draft.js';
import { type AgentState, bounds, type LiveRun, type RunRecord } from '../../../../src/domain/agent/agent-state.js';
import { type ErrorCode, HivekeepError } from '../../../../src/domain/shared/errors.js';
import type { SpawnInput } from '../../../../src/domain/shared/inputs.js';
import type { RunEvent } from '../../../../src/domain/model/model.js';
import { mayWake } from '../../../../src/domain/mailbox/mailbox.js';
import { nextToBegin, nextToCancel, triggersOf } from '../../../../src/domain/run/run-queue.js';
import { Documents } from './documents.js';
import { TestEnv } from './env.js';
import { deepFreeze } from './freeze.js';
import { checkEffects, checkState, checkStatuses } from './invariants.js';

export type Command = AgentCommand | ((world: AgentWorld) => AgentCommand);

/** What a command is called, whether it is of the table or brings its decision along. */
export const nameOf = (command: AgentCommand): string => (command.type === 'decide' ? command.name : command.type);

export class AgentWorld {
  readonly env = new TestEnv();
  readonly docs = new Documents();
  state: AgentState;
  last: AgentDecision;
  /** Steps begun, which are calls of the reasoner, by run. */
  readonly begun = new Map<string, number>();

  constructor(input: Partial<SpawnInput> = {}) {
    this.last = newAgent('agent_1', deepFreeze({ name: 'Ada', ...input }), this.env);
    this.docs.apply(this.last);
    this.state = deepFreeze(this.last.state);
    checkState(this.state, this.docs, false);
  }

  do(command: Command): AgentDecision {
    const made = typeof command === 'function' ? command(this) : command;
    const { state } = this;
    const events = new Map<string, readonly RunEvent[]>(
      this.docs.all('run').map((r) => [r.id, this.docs.events(r.id)]),
    );
    const runs = this.docs.all('run');
    const decision = decideAgent(state, deepFreeze(made), this.env);
    this.docs.apply(decision);
    for (const e of decision.effects)
      if (e.type === 'begin') this.begun.set(e.runId, (this.begun.get(e.runId) ?? 0) + 1);
    this.last = deepFreeze(decision);
    this.state = deepFreeze(decision.state);
    checkState(
      this.state,
      this.docs,
      decision.effects.some((e) => e.type === 'fetchNext'),
    );
    checkEffects(state, decision, events, runs, this.docs, nameOf(made));
    checkStatuses(runs, this.docs, nameOf(made));
    this.env.now += 10;
    this.fetchNext();
    return decision;
  }

  /** As the shell does: reads the run that is first in line, to start it, or to cancel it if the agent has ended. */
  private fetchNext(): void {
    const { last } = this;
    const { agent, runs } = this.state;
    const ends = nextToCancel(agent);
    const next = ends ?? (last.effects.some((e) => e.type === 'fetchNext') ? nextToBegin(agent) : undefined);
    if (!next) return;
    this.do({ type: ends ? 'cancelLeft' : 'startNext', run: runs.get(next.id) ?? this.docs.live(next.id) });
    this.last = last;
  }

  /** The command is refused with this code, and nothing else is thrown; what was there stays (the state is frozen). */
  refuse(command: Command, code: ErrorCode): HivekeepError {
    try {
      this.do(command);
    } catch (error) {
      if (!(error instanceof HivekeepError)) throw error;
      expect(error.code, error.message).to.equal(code);
      return error;
    }
    throw new Error(`not refused; ${code} was expected`);
  }

  /** The process ends and another loads the agent from what is stored. */
  restart(process?: string): void {
    const agent = JSON.parse(JSON.stringify(this.state.agent)) as AgentSnapshot;
    const runs = new Map(agent.running.map(({ id }) => [id, this.docs.live(id)]));
    this.state = deepFreeze({
      agent,
      counts: this.state.counts,
      runs,
      ...(agent.deleting ? { unread: [], moreMayWake: false } : this.unreadInStore()),
      mailDue: false,
      positions: new Map<string, number>(),
      sessions: new Map(),
    });
    if (!agent.deleting) this.do({ type: 'continue', ...(process !== undefined && { process }) });
  }

  /** As the shell reads them (actors/entities/agent/agent-reads.ts). */
  unreadInStore(): Pick<AgentState, 'unread' | 'moreMayWake'> {
    const all = this.docs.unread();
    const triggers = triggersOf(this.state.agent);
    const unread = all.filter(({ id }, i) => i < bounds.unreadInMemory || triggers.includes(id));
    const later = all.slice(bounds.unreadInMemory);
    if (unread.some(mayWake)) return { unread, moreMayWake: later.length > 0 };
    const [first, ...others] = later.filter(mayWake);
    return { unread: first ? [...unread, first] : unread, moreMayWake: others.length > 0 };
  }

  /** Runs in the order in which they were created. */
  get runs(): RunRecord[] {
    return this.docs.all('run').sort((a, b) => (a.id < b.id ? -1 : 1));
  }
  run(n = 0): RunRecord {
    const run = this.runs.at(n);
    if (!run) throw new Error(`there is no run ${n}`);
    return run;
  }
  /** As the shell hands it on: from memory, else from the store. */
  live(n = 0): LiveRun {
    const { id } = this.run(n);
    return this.state.runs.get(id) ?? this.docs.live(id);
  }

  /** The run in progress that began first. */
  get running(): LiveRun {
    const live = this.state.runs.get(this.state.agent.running[0]?.id ?? '');
    if (!live) throw new Error('no run is running');
    return live;
  }

  effects(type: string): AgentDecision['effects'] {
    return this.last.effects.filter((e) => e.type === type);
  }
}
