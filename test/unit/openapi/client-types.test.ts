import { expect } from 'chai';
import { readFile } from 'node:fs/promises';
import { clientTypes, typesFile } from './client-types.js';

describe('the types of the client', () => {
  it('are those of the document (when not: npm run client-types)', async () => {
    expect(await readFile(typesFile, 'utf8')).to.equal(await clientTypes());
  });
});
