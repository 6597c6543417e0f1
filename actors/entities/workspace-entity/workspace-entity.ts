/**
 * The actor of a hive or of a workspace's desk. It decides on the memories of that hive or desk, and on the workspace's
 * API keys, usage alerts and webhooks, and tells these what happens to it (../deliveries.ts).
 */
import type { MemorySpaceSnapshot } from '../../../src/domain/shared/snapshots.js';
import { type CommandMessage, isCommandMessage } from '../../../src/commands/command.js';
import { setUsageAlerts } from '../../../src/commands/workspace.js';
import type { Decision } from '../../../src/domain/shared/draft.js';
import {
  decideWorkspaceEntity,
  type WorkspaceEntityCommand,
  type WorkspaceEntityState,
} from '../../../src/domain/workspace/workspace-entity.js';
import type { EntityRef, Head } from '../../../src/store/port.js';
import type { Asked, Reply } from '../../runtime/port.js';
import { EntityDeletion } from '../deletion.js';
import { Deliveries, type Unsent } from '../deliveries.js';
import type { EntityDeps } from '../deps.js';
import { needsDecision, EntityActor } from '../entity.js';
import type { HeadUpdate } from '../entity-writer.js';
import type { Operations } from '../operation.js';
import { Reads } from '../memory-operations.js';
import { workspaceEntityOperations, type WorkspaceEntityReads, type WorkspaceEntityRequest } from './operations.js';

/** What the actor sends to itself: it was loaded with events to deliver; what became of the push of one. */
type OwnMessage = { type: 'continue' } | WorkspaceEntityCommand<'eventEnded'>;
type WorkspaceEntityMessage = WorkspaceEntityRequest | CommandMessage | OwnMessage;

export class WorkspaceEntityActor extends EntityActor<
  WorkspaceEntityState,
  WorkspaceEntityMessage,
  WorkspaceEntityCommand
> {
  protected readonly operations: Operations = workspaceEntityOperations;
  protected readonly decide = decideWorkspaceEntity;
  protected readonly reads: WorkspaceEntityReads;
  private readonly deletion: EntityDeletion<WorkspaceEntityState, WorkspaceEntityMessage, WorkspaceEntityCommand>;
  private readonly deliveries: Deliveries;

  constructor(deps: EntityDeps, entity: EntityRef) {
    super(deps, entity);
    this.reads = new Reads(this, this.present);
    this.deletion = new EntityDeletion(this, {
      isFenced: () => this.isDeleting(),
      fence: (asked) => {
        this.handleCommand({ type: 'delete' }, asked);
      },
    });
    this.deliveries = new Deliveries(deps, entity, (end) => {
      if (end.type === 'eventEnded') this.tell(end);
    });
  }

  /** A hive is under its own supervisor. */
  get hives(): readonly string[] {
    return this.entity.kind === 'hive' ? [this.entity.id] : [];
  }

  protected load(head: Head): WorkspaceEntityState {
    const waiting = this.waiting(head.snapshot);
    // somebody else, such as an import, may have written the settings
    if (head.entity.kind === 'workspace') {
      this.deps.quota.alertsChanged(head.entity.workspace);
      this.deps.webhooks.changed(head.entity.workspace);
    }
    this.deliveries.loaded(waiting);
    if (waiting.pushes > 0) this.context.self({ type: 'continue' });
    return { entity: head.snapshot, counts: head.counts, positions: new Map() };
  }

  protected headOf({ entity, counts }: WorkspaceEntityState): HeadUpdate {
    const deleting = 'deleting' in entity && entity.deleting;
    return {
      snapshot: entity,
      counts,
      active: deleting || this.waiting(entity).pushes > 0,
      due: entity.nextExpiry ?? null,
      deleted: false,
    };
  }

  protected control(asked: Asked<WorkspaceEntityMessage>): void | Promise<void> | typeof needsDecision {
    const { message: request } = asked;
    if (isCommandMessage(request)) return request.command.removes ? this.deletion.remove(asked) : needsDecision;
    switch (request.type) {
      case 'wake':
        return this.isDeleting() ? this.resumeDelete(asked) : this.wake(request.seq, asked);
      case 'continue':
        asked.resolve(undefined);
        return this.writer.settled().then(() => this.deliveries.resume());
      case 'eventEnded':
        if (this.deliveries.take(request)) this.handleCommand(request, null);
        return undefined;
      default:
        return needsDecision;
    }
  }

  protected isObsolete(): boolean {
    return this.isDeleting();
  }

  /** It has no work of its own but to deliver events. */
  protected hasWork(): boolean {
    return this.waiting(this.state?.entity).pushes > 0;
  }

  protected endWork(): void {
    this.deliveries.ended();
  }

  private waiting(entity: Partial<MemorySpaceSnapshot> | undefined): Unsent {
    return { messages: 0, pushes: entity?.webhookEvents ?? 0 };
  }

  private isDeleting(): boolean {
    return this.state !== null && 'deleting' in this.state.entity && this.state.entity.deleting;
  }

  protected followCommit(decision: Decision<WorkspaceEntityState>, asked: Asked<WorkspaceEntityMessage> | null): void {
    if ([...decision.puts, ...decision.deletes].some(({ kind }) => kind === 'webhook'))
      this.deps.webhooks.changed(this.entity.workspace);
    this.deliveries.committed(decision, this.waiting(decision.state.entity));
    const { message } = asked ?? {};
    if (message?.type === 'command' && message.command === setUsageAlerts)
      this.deps.quota.alertsChanged(this.entity.workspace);
  }

  private async resumeDelete(reply: Reply): Promise<void> {
    reply.resolve(undefined);
    await this.deletion.finish();
  }
}
