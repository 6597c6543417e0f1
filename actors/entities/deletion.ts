/**
 * How an entity is deleted, in three commits' worth of order: a fence that refuses everything else, then everything of
 * it is taken away in slices, then a tombstone. A crash in between is continued after the next load.
 */
import { notFound, unavailable } from '../../src/domain/errors.js';
import type { EntityRef } from '../../src/store/port.js';
import type { Reply } from '../runtime/port.js';
import { commandKeyOf } from './command.js';
import type { EntityDependencies } from './dependencies.js';
import { allMemoriesOf } from './recall-indexes.js';
import type { EntityShell } from './entity.js';

export interface DeletionSteps<Q> {
  /** The fence is decided, and perhaps not committed. */
  isFenced(): boolean;
  /** Decides on the fence for this request, or refuses it. */
  fence(request: Q, reply: Reply): void | Promise<void>;
  /** What goes before the entity's own documents. */
  before?(): Promise<void>;
}

export class EntityDeletion<S, Q, C> {
  constructor(
    private readonly shell: EntityShell<S, Q, C>,
    private readonly steps: DeletionSteps<Q>,
  ) {}

  /** Answers when nothing is left. */
  async remove(request: Q, reply: Reply): Promise<void> {
    const { shell, steps } = this;
    if (shell.state === null || steps.isFenced()) {
      await this.removeAgain(request, reply);
      return;
    }
    await steps.fence(request, reply);
    if (!steps.isFenced()) return; // refused, and its asker was told
    await shell.writer.settled();
    // without a fence nothing is taken away; the shell answers the asker, or asks again (Entity.A3)
    if (shell.writer.broken) return;
    if (await this.finish()) reply.resolve(undefined);
    else reply.reject(this.unfinished());
  }

  /** Takes everything away and leaves the tombstone. False when the last commit was not taken. */
  async finish(): Promise<boolean> {
    const { shell, steps } = this;
    await steps.before?.();
    await purgeEntity(shell.deps, shell.entity);
    return shell.state !== null && shell.tombstone(shell.state);
  }

  /** A delete of what is gone, or going: not found, unless it is the one that did it, sent again (Command.Y1). */
  private async removeAgain(request: Q, reply: Reply): Promise<void> {
    const { deps, entity } = this.shell;
    const command = commandKeyOf(request);
    const known = command && (await deps.store.command(entity, command.id, deps.clock.now()));
    if (!known) {
      reply.reject(notFound(entity.kind, entity.id));
      return;
    }
    await deps.store.load(entity);
    if (this.shell.state === null || (await this.finish())) reply.resolve(undefined);
    else reply.reject(this.unfinished());
  }

  private unfinished(): Error {
    const { kind, id } = this.shell.entity;
    return unavailable(`${kind} ${id} is being deleted; that goes on by itself`);
  }
}

const slice = 500;

/** Resolves when nothing of the entity is left but its head. Safe to run again after a crash in the middle. */
async function purgeEntity({ store, recall }: EntityDependencies, entity: EntityRef): Promise<void> {
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
