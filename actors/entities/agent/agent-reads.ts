import type { AgentCommand } from '../../../src/domain/agent-commands.js';
import {
  type AgentState,
  bounds,
  type LiveRun,
  type RunRecord,
  type SessionState,
} from '../../../src/domain/agent-state.js';
import type { GivenFile, GivenFiles } from '../../../src/domain/files.js';
import { activeIn, type BusyRun, isGoingOn } from '../../../src/domain/steering.js';
import type { Part } from '../../../src/domain/task.js';
import type { PeerFile } from '../../../src/peers/port.js';
import { takenOut } from '../../../src/commands/given-files.js';
import { unpackRun } from '../../../src/domain/stored-run.js';
import type { OnBusy } from '../../../src/domain/vocabulary.js';
import type { PresentMemories } from '../present-memories.js';
import { Reads } from '../memory-operations.js';
import { loadRun } from '../../../src/commands/run-reads.js';
import { sessionTurns } from '../../../src/commands/session-reads.js';

/** Whether what is said goes into what is going on. */
export const goesIn = (onBusy: OnBusy | undefined): boolean => onBusy === 'interrupt' || onBusy === 'steer';

/** What requests of an agent read before they are decided on. */
export class AgentReads extends Reads<AgentState> {
  /** `writtenBy`: what the model has written of the step in progress of a run, as far as it is told. */
  constructor(
    shell: ConstructorParameters<typeof Reads<AgentState>>[0],
    present: PresentMemories,
    private readonly writtenBy: (run: string) => string,
  ) {
    super(shell, present);
  }

  async run(id: string): Promise<LiveRun> {
    return this.state.runs.get(id) ?? loadRun(this.deps.store, this.entity, id);
  }

  /** Null for a run that was deleted. */
  async runIfKept(id: string): Promise<LiveRun | null> {
    const { deps, entity, state } = this;
    const known = state.runs.get(id);
    if (known) return known;
    return (await deps.store.get(entity, 'run', id)) ? loadRun(deps.store, entity, id) : null;
  }

  /** The session as a new run of it needs to know it; null if there is none yet. */
  async session(named: string): Promise<SessionState | null> {
    const { deps, entity, state } = this;
    const known = state.sessions.get(named);
    return known ?? sessionTurns(deps.store, entity, { sessionId: named }, state.agent.config);
  }

  /** Adds which of the files the agent has already. */
  withFiles<C extends AgentCommand<'run' | 'task' | 'resume'>>(
    given: readonly GivenFile[] | undefined,
    command: C | Promise<C>,
  ): C | Promise<C> {
    if (!given || given.length === 0) return command;
    const { deps, entity } = this;
    const ids = given.map(({ sha256 }) => sha256);
    return this.settled(async () => {
      const docs = await deps.store.getMany(entity, 'file', ids);
      return { ...(await command), files: { given, held: ids.filter((_, i) => docs[i]) } };
    });
  }

  /** Files that come with an answer, and which of them the agent has already. */
  async filesOf(files: readonly PeerFile[]): Promise<GivenFiles> {
    const parts = files.map((file): Part => ({ kind: 'file', ...file }));
    const { given } = await takenOut(parts, bounds.filesBytes, (i) => `file ${i + 1}`);
    const ids = given.map(({ sha256 }) => sha256);
    const docs = await this.deps.store.getMany(this.entity, 'file', ids);
    return { given, held: ids.filter((_, i) => docs[i]) };
  }

  /**
   * Adds what was said last in the session that a new run names, unless that is known, and the run of the session that
   * `answered` chooses, which may go on instead.
   */
  inSession<C extends AgentCommand<'run' | 'task'>>(
    named: string | undefined,
    command: C,
    answered?: (session: SessionState) => string | undefined,
  ): C | Promise<C> {
    const { deps, entity, state } = this;
    if (named === undefined || named === entity.id) return command;
    const known = state.sessions.get(named);
    const goes = goesIn(command.onBusy);
    if (known && answered?.(known) === undefined && !goes) return command;
    return this.settled(async () => {
      const session = known ?? (await sessionTurns(deps.store, entity, { sessionId: named }, state.agent.config));
      const id = session && answered?.(session);
      const busy = goes ? await this.busyIn(named, session) : undefined;
      return { ...command, session, waiting: id ? await this.run(id) : undefined, busy };
    });
  }

  /** What is going on in the session: a run that is running, waits for its turn, or waits for other agents. */
  private async busyIn(named: string, session: SessionState | null): Promise<BusyRun | undefined> {
    const active = activeIn(this.state.agent, named);
    if (active) return { run: await this.run(active.id), written: this.writtenBy(active.id) };
    const run = session && (await this.runIfKept(session.newest));
    return run && isGoingOn(run.record) ? { run, written: '' } : undefined;
  }

  /** Null for a run that was deleted. */
  async record(id: string): Promise<RunRecord | null> {
    const doc = await this.deps.store.get(this.entity, 'run', id);
    return doc && unpackRun(doc);
  }
}
