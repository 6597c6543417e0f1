import { expect } from 'chai';
import { pageOf, type PageRequest } from '../../../src/commands/lists.js';
import type { HivekeepError } from '../../../src/domain/shared/errors.js';
import type { Position, Store } from '../../../src/store/port.js';

/** A store whose page of a list has no items, and goes on where a filter has left them out so far. */
const emptyPage = (next: Position | null): Pick<Store, 'list' | 'count'> =>
  ({
    list: () => Promise.resolve({ items: [], next }),
    count: () => Promise.resolve({ count: 0, more: false }),
  }) as unknown as Pick<Store, 'list' | 'count'>;

describe('pages of lists', () => {
  const wanted = { workspace: 'w', collection: 'memory', list: 'created' } as const;
  const page: PageRequest = { sort: 'created_at', order: 'desc', limit: 10 };
  const read = (store: Pick<Store, 'list' | 'count'>, more: Partial<PageRequest>): Promise<unknown> =>
    pageOf({ store }, wanted, { ...page, ...more }, 0, (item) => item).catch(
      ({ code, details }: HivekeepError) => [code, details['issues']] as const,
    );

  it('an offset beyond what a page looks at is refused, as no cursor leads on from there', async () => {
    expect(await read(emptyPage(['mem_5']), { offset: 3 })).to.deep.equal([
      'VALIDATION_ERROR',
      [{ path: 'offset', message: 'reaches beyond what a page looks at with these filters: use cursor' }],
    ]);
  });

  it('an offset beyond the end is an empty page, and so is one that its filter leaves empty', async () => {
    expect(await read(emptyPage(null), { offset: 3 })).to.deep.equal({ items: [], next: null, total: 0 });
    expect(await read(emptyPage(['mem_5']), {})).to.deep.equal({ items: [], next: ['mem_5'], total: 0 });
  });
});
