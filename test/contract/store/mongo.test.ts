import { openMongoStore, type MongoStore } from '../../../src/store/mongo/open.js';
import { mongoService, type MongoService } from '../../helpers/mongo-service.js';
import type { Opened } from './fixtures.js';
import { storeContract } from './suite.js';

describe('MongoDB', function () {
  this.timeout(60_000);
  let mongo: MongoService | null;
  before(async function () {
    mongo = await mongoService();
    if (!mongo) this.skip(); // neither MONGODB_URL nor mongod or secantusd-py on PATH
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
          await server.drop(url);
        },
      };
      return opened;
    },
    6,
  );
});
