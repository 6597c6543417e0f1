import { openMongoStore, type MongoStore } from '../../../src/store/mongo/open.js';
import { mongoService } from '../../helpers/mongo-service.js';
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
    before(async function () {
      mongo = await start();
      if (!mongo) this.skip(); // no mongod on PATH
    });
    after(() => mongo?.stop());

    storeContract(
      'mongo',
      async () => {
        if (!mongo) throw new Error('there is no MongoDB');
        const server = mongo;
        const url = server.freshUrl();
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
            await server.drop?.(url);
          },
        };
        return opened;
      },
      6,
    );
  });
