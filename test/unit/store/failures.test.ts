/** Every failure becomes a StoreError with a sentence that says what to do. */
import { tmpdir } from 'node:os';
import { expect } from 'chai';
import { toStoreError } from '../../../src/store/lmdb/failures.js';
import { StoreError } from '../../../src/store/port.js';

describe('failures of the embedded store', () => {
  const table: [string | number, string, StoreError['reason'], RegExp][] = [
    [28, 'No space left on device', 'full', /Free some space/],
    [27, 'File too large', 'full', /Free some space/],
    [122, 'Disk quota exceeded', 'full', /Free some space/],
    [-30792, 'MDB_MAP_FULL', 'full', /Free some space/],
    ['ENOSPC', 'no space', 'full', /Free some space/],
    [-30796, 'MDB_CORRUPTED', 'corrupt', /backup/],
    [-30793, 'MDB_INVALID', 'corrupt', /backup/],
    ['EACCES', 'permission denied', 'io', /access to it/],
    ['EROFS', 'read-only file system', 'io', /access to it/],
    [13, 'Permission denied', 'io', /access to it/],
    [5, 'Input/output error', 'io', /Look at the disk/],
    ['EIO', 'i/o error', 'io', /Look at the disk/],
    [9999, 'something new', 'io', /start the service again/],
  ];
  for (const [code, message, reason, advice] of table) {
    it(`${String(code)}: ${reason}`, () => {
      const error = toStoreError(Object.assign(new Error(message), { code }), tmpdir());
      expect(error).to.be.instanceOf(StoreError);
      expect(error.reason).to.equal(reason);
      expect(error.message).to.match(advice).and.include(tmpdir());
      expect(error.cause).to.have.property('message', message);
    });
  }

  it('one that is a StoreError already stays what it is; what is thrown without being an error is told too', () => {
    const one = new StoreError('in-use', 'x');
    expect(toStoreError(one, '/')).to.equal(one);
    expect(toStoreError('odd', '/').message).to.include('odd');
    expect(toStoreError(new Error('Can not read from a closed database'), '/').reason).to.equal('closed');
  });
});
