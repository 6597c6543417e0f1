import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLmdbStore } from '../../../src/store/lmdb/open.js';
import type { Opened } from './fixtures.js';
import { storeContract } from './suite.js';

storeContract('lmdb', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'hivekeep-store-'));
  const opened: Opened = {
    store: await openLmdbStore({ dir }),
    reopen: async () => {
      await opened.store.close();
      return openLmdbStore({ dir });
    },
    destroy: async () => {
      await opened.store.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
  return opened;
});
