/**
 * Deletes an entity in three steps: first a fence, which refuses all other requests; then everything that belongs to
 * the entity is removed in slices; then a tombstone. After a crash in between, the deletion continues after the next
 * load.
 */
import { commandMessage } from '../../src/commands/command.js';
import { deskOf } from '../quota/tenant-bounds.js';
import { pagesOf } from '../../src/store/list-query.js';
import { adoptEvents } from '../../src/commands/webhooks.js';
import { notFound, unavailable } from '../../src/domain/shared/errors.js';
import type { EntityRef } from '../../src/store/port.js';
import type { Asked } from '../runtime/port.js';
import type { EntityDeps } from './deps.js';
import { allMemoriesOf } from './recall-indexes.js';
import type { EntityShell } from './entity.js';
import type { AnyMessage } from './operation.js';

interface DeletionSteps<Q> {
  /** Whether the fence has been decided; it may not be committed yet. */
  isFenced(): boolean;
  /** Decides on the fence for this request, or refuses the request. */
  fence(asked: Asked<Q>): void | Promise<void>;
  /** What has to be removed before the entity's own documents. */
  before?(): Promise<void>;
}

export class EntityDeletion<S, Q extends AnyMessage, C> {
  constructor(
    private readonly shell: EntityShell<S, Q, C>,
    private readonly steps: DeletionSteps<Q>,
  ) {}

  /** Handles a request to delete the entity, and answers it when nothing is left. */
  async remove(asked: Asked<Q>): Promise<void> {
    const { shell, steps } = this;
    if (shell.state === null || steps.isFenced()) {
      await this.removeAgain(asked);
      return;
    }
    await steps.fence(asked);
    if (!steps.isFenced()) return; // the request was refused and has been answered
    await shell.writer.settled();
    // without a fence nothing is removed; the shell answers the caller or decides again (Entity.A3)
    if (shell.writer.broken) return;
    if (await this.finish()) asked.resolve(undefined);
    else asked.reject(this.unfinished());
  }

  /** Removes everything and leaves the tombstone. Returns false if the last commit was not accepted. */
  async finish(): Promise<boolean> {
    const { shell, steps } = this;
    await steps.before?.();
    await handOverAudit(shell.deps, shell.entity);
    await purgeEntity(shell.deps, shell.entity);
    return shell.state !== null && shell.tombstone(shell.state);
  }

  /**
   * Handles a request to delete an entity that is deleted or being deleted. It is NOT_FOUND, unless it repeats the
   * request that deleted the entity (Idempotency.Y1).
   */
  private async removeAgain(asked: Asked<Q>): Promise<void> {
    const { deps, entity } = this.shell;
    const { idempotencyKey } = asked.message;
    const known = idempotencyKey && (await deps.store.record(entity, idempotencyKey.id, deps.clock.now()));
    if (!known) {
      asked.reject(notFound(entity.kind, entity.id));
      return;
    }
    await deps.store.load(entity);
    if (this.shell.state === null || (await this.finish())) asked.resolve(undefined);
    else asked.reject(this.unfinished());
  }

  private unfinished(): Error {
    const { kind, id } = this.shell.entity;
    return unavailable(`${kind} ${id} is being deleted; the deletion continues by itself`);
  }
}

/** What the audit has told of the entity, and of its end, is not lost for the webhooks that have not taken it yet. */
async function handOverAudit({ store, ask }: EntityDeps, entity: EntityRef): Promise<void> {
  const { workspace } = entity;
  const outbox = { workspace, entity, collection: 'outbox', list: 'created', order: 'asc', limit: 100 } as const;
  for await (const { items } of pagesOf(store, outbox)) {
    const events = items.flatMap(({ body }) =>
      body.kind === 'event' && body.event.type === 'audit.recorded' ? [body] : [],
    );
    if (events.length > 0) await ask(deskOf(workspace), commandMessage(adoptEvents, null, {}, { events }));
  }
}

const slice = 500;

/** Resolves when nothing but the head of the entity is left. It is safe to run again after a crash. */
async function purgeEntity({ store, recall }: EntityDeps, entity: EntityRef): Promise<void> {
  const { workspace } = entity;
  const all = allMemoriesOf(workspace);
  recall.drop(entity);
  for (let done = false; !done;) {
    const page = await store.list({
      workspace,
      entity,
      collection: 'memory',
      list: 'created',
      order: 'asc',
      limit: slice,
    });
    for (const { id } of page.items) recall.remove(all, 'memory', id);
    done = await store.purge(entity, slice);
  }
}
