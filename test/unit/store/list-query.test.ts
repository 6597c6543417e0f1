/** What a query of a list means for all adapters (src/store/list-query.ts). */
import { expect } from 'chai';
import { isSearched, type UnpagedQuery } from '../../../src/store/list-query.js';

const query: UnpagedQuery = { workspace: 'w', collection: 'agent', list: 'created' };

describe('store: queries of lists', () => {
  it('that filter by nothing are not searched, so that an offset reaches whatever is there', () => {
    expect(isSearched(query)).to.equal(false);
    expect(isSearched({ ...query, where: {} })).to.equal(false);
    expect(isSearched({ ...query, where: { type: 'semantic' } })).to.equal(true);
    expect(isSearched({ ...query, matches: () => true })).to.equal(true);
  });
});
