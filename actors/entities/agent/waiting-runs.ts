/** The runs of an agent that wait in line: the next is read when it is its turn, and all are cancelled when it ends. */
import { endsNext } from '../../../src/domain/agent-state.js';
import type { AgentMessage, AgentShell } from './messages.js';
import { loadRun } from './run-reads.js';

export const isDeleting = ({ state }: AgentShell): boolean => state?.agent.deleting === true;

export class WaitingRuns {
  constructor(
    private readonly shell: AgentShell,
    private readonly tell: (request: Extract<AgentMessage, { type: 'fetchNext' }>) => void,
  ) {}

  /** Reads the run that is first in line, to start it, or to cancel it if the agent has ended. */
  async fetchNext(): Promise<void> {
    await this.shell.writer.settled();
    const { state, deps, entity, writer } = this.shell;
    const id = state?.agent.pending[0];
    if (id === undefined || writer.broken) return;
    const run = state?.runs.get(id) ?? (await loadRun(deps.store, entity, id));
    this.shell.handle({ type: this.hasEnded() ? 'cancelLeft' : 'startNext', run }, null);
  }

  /**
   * Cancels the first run in line of an agent that has ended. Each is cancelled with a decision of its own, so that the
   * writer can divide them into commits that the store accepts; the next follows when that decision is made.
   */
  cancelNext(): void {
    const id = this.shell.state?.agent.pending[0];
    if (id === undefined || !this.hasEnded()) return;
    const run = this.shell.state?.runs.get(id);
    if (run) this.shell.handle({ type: 'cancelLeft', run }, null);
    else if (!isDeleting(this.shell)) this.tell({ type: 'fetchNext' }); // a deletion fetches them itself
  }

  async cancelAll(): Promise<void> {
    while (this.shell.state?.agent.pending.length && !this.shell.writer.broken) await this.fetchNext();
  }

  private hasEnded(): boolean {
    const { state } = this.shell;
    return state !== null && endsNext(state.agent);
  }
}
