/**
 * The calls of tools that this process has decided to make and has not made, because it does not know whether the
 * decision was stored (AgentTools.T2). If it turns out to be stored, the agent is loaded here with a call that waits for
 * its outcome: this says that it never went out, so that it can be made.
 */
const mostKept = 10_000;

export class UnsentCalls {
  private readonly calls = new Set<string>();

  /** Of the oldest it is not known any more. */
  add(id: string): void {
    if (this.calls.size >= mostKept) this.calls.delete(this.calls.values().next().value ?? '');
    this.calls.add(id);
  }

  /** Whether this call has not been made; it is about to be. */
  take(id: string): boolean {
    return this.calls.delete(id);
  }
}
