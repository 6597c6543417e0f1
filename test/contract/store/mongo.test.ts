import { openMongoStore, type MongoStore } from '../../../src/store/mongo/open.js';
import { emptyDatabase, mongoService } from '../../helpers/mongo-service.js';
import { mongoSet } from '../../helpers/mongo-set.js';
import type { Opened } from './fixtures.js';
import { storeContract } from './suite.js';

interface Server {
  freshUrl(): string;
  drop?(url: string): Promise<void>;
  stop(): Promise<void>;
}

const shapes: [string, () => Promise<Server | null>][] = [
  ['a standalone server', () => mongoService('standalone')],
  ['a replica set of three', () => mongoSet({ linked: false })],
];

for (const [shape, start] of shapes)
  describe(`MongoDB: ${shape}`, function () {
    this.timeout(60_000);
    let mongo: Server | null;
    const emptied: string[] = [];
    before(async function () {
      mongo = await start();
      if (!mongo) this.skip(); // no mongod on PATH
    });
    after(async () => {
      for (const url of emptied) await mongo?.drop?.(url);
      await mongo?.stop();
    });

    storeContract(
      'mongo',
      async () => {
        if (!mongo) throw new Error('there is no MongoDB');
        const url = emptied.pop() ?? mongo.freshUrl();
        let store: MongoStore = await openMongoStore({ url });
        const opened: Opened = {
          store,
          showsUnacknowledged: true,
          released: () => store.released(),
          reopen: async () => {
            await store.close();
            return (store = await openMongoStore({ url }));
          },
          destroy: async () => {
            await store.close();
            await emptyDatabase(url);
            emptied.push(url);
          },
        };
        return opened;
      },
      6,
    );
  });
