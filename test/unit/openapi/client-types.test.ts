import { expect } from 'chai';
import { readFile } from 'node:fs/promises';
import { clientFiles } from './client-types.js';

describe('the clients', () => {
  it('are of this document: run `npm run client-types` after a change', async () => {
    for (const [path, text] of await clientFiles()) expect(await readFile(path, 'utf8'), path).to.equal(text);
  }).timeout(20_000);
});
