/** Gives the vectors that were made to the actors of their memories, as long as the workspace may store more. */
import type { KeepVectors } from '../../src/embeddings/vectors.js';
import type { EntityDeps } from './deps.js';

export const vectorKeeper =
  ({ bounds, ask }: Pick<EntityDeps, 'bounds' | 'ask'>): KeepVectors =>
  async ({ workspace, kind, id }, made) => {
    if (await bounds.storageExceeded(workspace)) return;
    await ask({ workspace, kind, id }, { type: 'vectors', made });
  };
