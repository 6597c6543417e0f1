/** The runs of an agent that wait: the next is read when it is its turn, and all are cancelled when the agent ends. */
import type { AgentCommand } from '../../../src/domain/agent/agent-commands.js';
import { nextToBegin, nextToCancel } from '../../../src/domain/run/run-queue.js';
import type { AgentShell } from './messages.js';
import { loadRun, pausedRuns } from '../../../src/commands/run-reads.js';

export const isAgentDeleting = ({ state }: AgentShell): boolean => state?.agent.deleting === true;

/** So many paused runs are cancelled in one turn. */
const pausedPerTurn = 20;

export class WaitingRuns {
  /** Whether the actor has been told to fetch the next, and has not done so yet. */
  private asked = false;

  constructor(private readonly shell: AgentShell) {}

  askForNext(): void {
    if (!this.asked) this.shell.tell({ type: 'fetchNext' });
    this.asked = true;
  }

  /** Reads the run whose turn it is, to start it, or to cancel it if the agent has ended. */
  async fetchNext(): Promise<void> {
    await this.shell.writer.settled();
    this.asked = false;
    const { state, deps, entity, writer } = this.shell;
    if (!state || writer.broken) return;
    const ends = nextToCancel(state.agent);
    const next = ends ?? nextToBegin(state.agent);
    if (!next) return this.endPaused();
    const run = state.runs.get(next.id) ?? (await loadRun(deps.store, entity, next.id));
    this.shell.handleCommand({ type: ends ? 'cancelLeft' : 'startNext', run }, null);
  }

  /**
   * Cancels the first run of an agent that has ended. Each is cancelled with a decision of its own, so that the writer
   * can divide them into commits that the store accepts.
   */
  cancelNext(): AgentCommand<'cancelLeft'> | undefined {
    const { state } = this.shell;
    const next = state && nextToCancel(state.agent);
    if (!next) return undefined;
    const run = state.runs.get(next.id);
    if (run) return { type: 'cancelLeft', run };
    if (!isAgentDeleting(this.shell)) this.askForNext(); // a deletion fetches them itself
    return undefined;
  }

  /** Cancels the runs that had paused when the agent was terminated, once no other is left that may still pause. */
  private async endPaused(): Promise<void> {
    const { state, deps, entity } = this.shell;
    if (!state?.agent.endsPaused) return;
    const { runs, more } = await pausedRuns(deps.store, entity, pausedPerTurn);
    if (this.shell.writer.broken) return;
    for (const run of runs) this.shell.handleCommand({ type: 'cancelLeft', run }, null);
    if (more) this.askForNext();
    else this.shell.handleCommand({ type: 'pausedEnded' }, null);
  }

  async cancelAll(): Promise<void> {
    while (this.shell.state && nextToCancel(this.shell.state.agent) && !this.shell.writer.broken)
      await this.fetchNext();
  }
}
