/**
 * Export and import of a workspace beside everything else that is served.
 *
 *  - An import writes by commits of its own from whichever process received it, and never around the sequence numbers:
 *    an actor that has decided on an older state loses its commit and decides again (Store.P1, Entity.A3), as after a
 *    commit of another process.
 *  - When an import answers, or fails, the actor of each entity that it has changed has loaded it again at its owner
 *    and has dropped its recall indexes, so that what was imported is found.
 *  - Nothing is changed before all of the body has arrived and was checked by the code that checks files on the
 *    command line. Meanwhile it lies in a file without a name (Spool.P1).
 *  - Bodies that still arrive hold none of the few places in which imports are checked and written.
 *  - A workspace reads at most `mostExports` exports at a time from a process.
 *  - Memories of the month are reserved as those of other requests are (QuotaGate.Q1).
 *  - Neither route carries credentials: a key grants no scope that it has not, and what it mints is audited.
 */
import { noteExport, noteImport } from '../../src/commands/workspace.js';
import { Semaphore } from '../../src/base/semaphore.js';
import { waited } from '../../src/domain/shared/clock.js';
import { HivekeepError, invalid, notFound, unavailable } from '../../src/domain/shared/errors.js';
import { isIdOf } from '../../src/domain/shared/ids.js';
import { isSandbox } from '../../src/domain/workspace/workspace.js';
import type { Caller, Service } from '../../src/service.js';
import type { EntityRef } from '../../src/store/port.js';
import { checkExport, ImportError, importRecords } from '../../src/transfer/check.js';
import { exportLines } from '../../src/transfer/export.js';
import { importInto, type ImportTarget } from '../../src/transfer/import.js';
import { withNewIds } from '../../src/transfer/new-ids.js';
import { outlasting } from '../../src/transfer/outages.js';
import { spooled } from '../../src/transfer/spool.js';
import { type ServiceContext, rethrowStoreFailure } from './context.js';

/** How many bodies may lie on the disk of a process at a time, and how many of them are worked on. */
const mostImports = 8;
const mostAtWork = 2;
const mostExports = 2;
/** How long an export or an import waits for the end of an outage. */
const outageMs = 120_000;

export function transferService(c: ServiceContext) {
  const { deps } = c;
  const { clock } = deps;
  const outlast = outlasting({
    clock,
    waitMs: outageMs,
    pause: (ms) => waited(clock, ms),
  });
  /** How many exports of each workspace are being read. */
  const exporting = new Map<string, number>();
  /** The workspaces that something is being imported into. */
  const importing = new Set<string>();
  const atWork = new Semaphore(mostAtWork);
  return {
    async exportRecords(caller, { agent_id: agent, after }) {
      refuseSandbox(caller);
      const { workspace } = caller;
      if (after !== undefined && after !== workspace && !isIdOf('agent', after) && !isIdOf('hive', after))
        throw invalid({ path: 'after', message: 'must be the id of an agent, of a hive or of this workspace' });
      const source = exportLines(deps.store, {
        workspace,
        agent,
        after,
        credentials: false,
        now: deps.clock.now(),
        outlast,
      });
      const lines = counted(exporting, workspace, source);
      const { value } = await lines.next();
      if (value === undefined) throw agent === undefined ? notFound('workspace', workspace) : notFound('agent', agent);
      try {
        await c.services.execute(caller, noteExport, {}, { agent });
      } catch (error) {
        await lines.return(undefined);
        throw error;
      }
      return lines;
    },
    async importRecords(caller, body, { new_ids: label }) {
      refuseSandbox(caller);
      const { workspace } = caller;
      if (importing.has(workspace))
        throw new HivekeepError('CONFLICT', 'another import into this workspace is in progress: wait until it is done');
      if (importing.size >= mostImports) throw unavailable('too many imports at a time', { retryAfter: 10 });
      importing.add(workspace);
      try {
        return await spooled(body, (read) =>
          atWork.during(async () => {
            const checked = await checkExport(read());
            const all = importRecords(read(), checked);
            const records = label === undefined ? all : withNewIds(all, `${checked.sha256}/${label}`);
            const { leftOut, sha256 } = checked;
            await c.services.execute(
              caller,
              noteImport,
              {},
              { records: Object.values(checked.counts).reduce((sum, n) => sum + n, 0) },
            );
            return { ...(await importInto({ ...targetOf(c, caller), outlast }, records, leftOut)), sha256 };
          }),
        );
      } catch (error) {
        throw error instanceof ImportError ? invalid({ path: 'body', message: error.message }) : error;
      } finally {
        importing.delete(workspace);
      }
    },
  } satisfies Partial<Service>;
}

/**
 * Counted from the first call until the last line, or until nobody reads on. When there is a first line,
 * an empty text comes before it, by which the caller knows that it is there.
 */
async function* counted(
  exporting: Map<string, number>,
  workspace: string,
  source: AsyncGenerator<string>,
): AsyncGenerator<string, undefined> {
  const others = exporting.get(workspace) ?? 0;
  if (others >= mostExports)
    throw unavailable('two exports of this workspace are being read: wait until one is done', { retryAfter: 10 });
  exporting.set(workspace, others + 1);
  try {
    const first = await source.next();
    if (first.done) return;
    yield '';
    yield first.value;
    yield* source;
  } catch (error) {
    rethrowStoreFailure(error);
  } finally {
    await source.return(undefined);
    const left = (exporting.get(workspace) ?? 1) - 1;
    if (left > 0) exporting.set(workspace, left);
    else exporting.delete(workspace);
  }
}

function refuseSandbox({ workspace }: Caller): void {
  if (isSandbox(workspace))
    throw invalid({ path: 'key', message: 'must be a live key: what test keys made is neither exported nor imported' });
}

function targetOf({ deps }: ServiceContext, { workspace, tier }: Caller): ImportTarget {
  const { store, clock, ids, quota } = deps;
  return {
    store,
    ids,
    workspace,
    tier,
    now: () => clock.now(),
    credentials: false,
    touched: (entity) => loadedAgain(deps, entity),
    async reserve(memories, work) {
      const reservation = await quota.take({ workspace, tier }, memories);
      return reservation ? reservation.during((full) => work(reservation.granted, full)) : work(memories, null);
    },
  };
}

/**
 * A wake with a head newer than any that an actor can have makes it load the entity and drop its indexes.
 * The next request is handled only when that is done.
 */
async function loadedAgain({ ask }: Pick<ServiceContext['deps'], 'ask'>, entity: EntityRef): Promise<void> {
  await ask(entity, { type: 'wake', seq: Number.MAX_SAFE_INTEGER });
  await ask(entity, { type: 'wake' });
}
