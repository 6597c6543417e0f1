import { expect } from 'chai';
import { randomBytes } from 'node:crypto';
import { hashSecret, hintOf, newSecret } from '../../../src/secrets/api-keys.js';

describe('credentials', () => {
  it('have 40 characters after their prefix, and never repeat', () => {
    const made = new Set(Array.from({ length: 1000 }, () => newSecret('at_', randomBytes)));
    expect(made.size).to.equal(1000);
    for (const secret of made) expect(secret).to.match(/^at_[0-9A-Za-z]{40}$/);
  });

  it('use every character equally: bytes that would favour the first ones are thrown away', () => {
    const uneven = [248, 251, 255, 247, 61];
    const secret = newSecret('', (n) => Uint8Array.from({ length: n }, (_, i) => uneven[i % 5]!));
    expect(new Set(secret)).to.deep.equal(new Set(['z'])); // 247 % 62 and 61 are both the last; 248 and more were dropped
  });

  it('are hashed with SHA-256 and hinted at by four characters', () => {
    expect(hashSecret('abc')).to.equal('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    expect(hintOf('svc_live_abcdefgh')).to.equal('svc_live_abcd');
  });
});
