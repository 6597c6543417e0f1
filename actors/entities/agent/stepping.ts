/**
 * The steps of an agent's runs: when one begins, where it runs, and that its report is decided on. A step reads and
 * thinks and changes nothing; one that need not wait ends in the same turn, another gets a child actor (run.ts).
 */
import type { AgentState, StepReport } from '../../../src/domain/agent-state.js';
import type { Decision } from '../../../src/domain/draft.js';
import { messagesForNextStep } from '../../../src/domain/mailbox.js';
import { remainingMs } from '../../../src/domain/run.js';
import type { ChildFailure, ChildRef } from '../../runtime/port.js';
import { TimeAway } from '../outages.js';
import type { AgentRequest, AgentShell } from './requests.js';
import { RunBehavior, type RunMessage } from './run.js';
import { claimReservation, proposeStep, type ProposedStep } from './step.js';

/** Steps that follow from one another without waiting, before others get their turn. */
const maxInline = 8;

/** Of a step that ended at once: nobody has kept its signal, so the next one may have it. They are dear to make. */
let spareAbort: AbortController | null = null;

/** What stepping needs of its agent. */
export interface SteppingAgent {
  /** Tells the agent's actor, as long as this activation lasts. */
  tell(request: AgentRequest): void;
  /** A step that did not wait has ended; its report is decided on next. */
  proposed(runId: string, report: StepReport): void;
}

export class Stepping {
  private readonly runActors = new Map<string, ChildRef<RunMessage>>();
  /** The latest attempt begun of each run. */
  private readonly begun = new Map<string, number>();
  private inline = 0;

  constructor(
    private readonly shell: AgentShell,
    private readonly agent: SteppingAgent,
  ) {}

  /** A step is in progress that has to be waited for. */
  get busy(): boolean {
    return this.runActors.size > 0;
  }

  /** Another message is handled: steps may follow from it inline again. */
  newTurn(): void {
    this.inline = 0;
  }

  /** Agent.G1. */
  consider(runId: string, decision: Decision<AgentState>, committed: boolean): void {
    const began = decision.state.runs.get(runId);
    const live = this.shell.state?.runs.get(runId);
    if (!began || !live?.stepping || live.attempt !== began.attempt || this.begun.get(runId) === began.attempt) return;
    if (
      this.shell.deps.stopping() ||
      (!committed && (began.record.steps > 0 || began.record.restarts || this.shell.indexing > 0))
    )
      return;
    this.begun.set(runId, began.attempt);
    if (committed || ++this.inline > maxInline) this.agent.tell({ type: 'begin', runId, attempt: began.attempt });
    else this.begin(runId, began.attempt);
  }

  begin(runId: string, attempt: number): void {
    const { state, deps, entity } = this.shell;
    const live = state?.runs.get(runId);
    if (!state || !live?.stepping || live.attempt !== attempt) return;
    const messages = live.record.held.length > 0 ? [] : messagesForNextStep(state.unread, live.record);
    const read = messages.map((m) => m.id);
    const abort = spareAbort ?? new AbortController();
    const startedMs = deps.clock.elapsed();
    const away = new TimeAway(deps.clock);
    spareAbort = null;
    const report = proposeStep(deps, { entity, agent: state.agent, live, messages }, abort.signal, away);
    if (!(report instanceof Promise)) {
      spareAbort = abort;
      this.ended(runId, attempt, report, Math.round(deps.clock.elapsed() - startedMs), read);
      return;
    }
    this.runActor(runId, read).tell({
      type: 'work',
      attempt,
      step: report,
      abort,
      startedMs,
      budgetMs: remainingMs(live.record),
      away,
    });
  }

  private ended(runId: string, attempt: number, report: StepReport, usedMs: number, read: readonly string[]): void {
    this.agent.proposed(runId, report);
    this.report({ type: 'step', runId, attempt, report, usedMs, read });
  }

  /** A step's places in the quota end when what was decided of it is stored, or never will be. */
  report(step: Extract<AgentRequest, { type: 'step' }>): void {
    const { reservation: place } = step.report as ProposedStep;
    if (!place) {
      this.shell.handle(step, null);
      return;
    }
    try {
      this.shell.handle({ ...step, report: claimReservation(step.report) }, null);
    } finally {
      void this.shell.writer.settled().then(() => {
        place.decided(!this.shell.writer.broken);
      });
    }
  }

  /** One actor for each attempt: what it reads is part of what it reports. */
  private runActor(runId: string, read: readonly string[]): ChildRef<RunMessage> {
    this.stopRunActor(runId);
    const behavior = new RunBehavior(
      {
        ended: (attempt, report, usedMs) => {
          this.agent.tell({ type: 'step', runId, attempt, report, usedMs, read });
        },
        deadline: (attempt, usedMs) => {
          this.agent.tell({ type: 'deadline', runId, attempt, usedMs });
        },
      },
      this.shell.deps.clock,
    );
    const child = this.shell.context.spawn<RunMessage>(
      { workspace: this.shell.entity.workspace, kind: 'run', id: runId },
      behavior,
    );
    this.runActors.set(runId, child);
    return child;
  }

  abort(runId: string): void {
    this.runActors.get(runId)?.tell({ type: 'abort' });
  }

  /** The run is not running any more. */
  leave(runId: string): void {
    this.stopRunActor(runId);
    this.begun.delete(runId);
  }

  private stopRunActor(id: string): void {
    this.runActors.get(id)?.stop();
    this.runActors.delete(id);
  }

  /** The step that the child held is lost with it: it is reported as failed. */
  childFailed({ address, error }: ChildFailure): void {
    const attempt = this.begun.get(address.id);
    if (attempt === undefined) return;
    const report: StepReport = { ok: false, error: { code: 'internal', message: error.message } };
    this.shell.handle({ type: 'step', runId: address.id, attempt, report, usedMs: 0, read: [] }, null);
  }

  end(): void {
    for (const child of this.runActors.values()) child.stop();
    this.runActors.clear();
  }
}
