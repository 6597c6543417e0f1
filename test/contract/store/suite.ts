/** What every adapter of store/port.ts has to pass. The tests name the promise of the port that they guard. */
import { expect } from 'chai';
import { StoreError } from '../../../src/store/port.js';
import { commitsContract } from './commits.js';
import { commit, entity, type OpenStore } from './fixtures.js';
import { headsContract } from './heads.js';
import { imagesContract } from './images.js';
import { listsContract } from './lists.js';
import { wholeEntitiesContract } from './whole-entities.js';

/** `runs`: of the properties, for adapters whose commits take long. */
export function storeContract(name: string, open: OpenStore, runs = 25): void {
  describe(`store contract: ${name}`, () => {
    describe('commits', () => {
      commitsContract(open);
    });
    describe('heads', () => {
      headsContract(open, runs);
    });
    describe('lists', () => {
      listsContract(open, runs);
    });
    describe('images', () => {
      imagesContract(open, runs);
    });
    describe('whole entities', () => {
      wholeEntitiesContract(open);
    });

    it('close lets commits in flight end, may be called twice, and afterwards every call says closed', async () => {
      const { store, destroy } = await open();
      const running = store.commit(commit(entity('agent_1'), 1));
      await store.close();
      expect(await running).to.equal('committed');
      await store.close();
      const calls: (() => unknown)[] = [
        () => store.head(entity('agent_1')),
        () => store.commit(commit(entity('agent_1'), 2)),
        () => store.get(entity('agent_1'), 'memory', 'x'),
        () => store.sum('ws_a', 'x'),
        () => store.list({ workspace: 'ws_a', collection: 'agent', list: 'created', order: 'asc', limit: 1 }),
        () => store.dueHeads(1, 1),
        () => store.purge(entity('agent_1'), 1),
        () => store.claim(entity('agent_1'), { id: 'c', bodyHash: '', result: null, expiresAt: 1 }, 0),
        () => store.allHeads()[Symbol.asyncIterator]().next(),
        () => store.contents(entity('agent_1'))[Symbol.asyncIterator]().next(),
        () => store.activeHeads()[Symbol.asyncIterator]().next(),
      ];
      for (const call of calls) {
        let thrown: unknown;
        await Promise.resolve()
          .then(call)
          .catch((e: unknown) => {
            thrown = e;
          });
        expect(thrown, String(call)).to.be.instanceOf(StoreError).with.property('reason', 'closed');
      }
      await destroy();
    });
  });
}
