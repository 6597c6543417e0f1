/** The service's secret keys: what is sealed opens with its key and for its context only (src/secrets/keyring.ts). */
import { expect } from 'chai';
import fc from 'fast-check';
import { createKeyring } from '../../../src/secrets/keyring.js';

describe('the keyring', () => {
  const key = (n: number): Uint8Array => new Uint8Array(32).fill(n);
  const sealed = createKeyring([key(1)]).seal('push credentials', 'secret-token', 'default/agent_1');

  it('opens what it sealed, whatever the text', () => {
    const ring = createKeyring([key(1)]);
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (text, context) => {
        expect(ring.open('push credentials', ring.seal('push credentials', text, context), context)).to.equal(text);
      }),
    );
  });

  it('does not show the text, nor that two texts are the same', () => {
    const again = createKeyring([key(1)]).seal('push credentials', 'secret-token', 'default/agent_1');
    expect(sealed).not.to.include('secret-token').and.not.to.equal(again);
  });

  it('opens nothing with another key, for another context or purpose, or where a bit was changed', () => {
    const ring = createKeyring([key(1)]);
    expect(createKeyring([key(2)]).open('push credentials', sealed, 'default/agent_1')).to.equal(null);
    expect(ring.open('push credentials', sealed, 'default/agent_2')).to.equal(null);
    expect(ring.open('cursors', sealed, 'default/agent_1')).to.equal(null);
    expect(ring.open('push credentials', `${sealed.slice(0, -3)}AAA`, 'default/agent_1')).to.equal(null);
    expect(ring.open('push credentials', 'sealed:', 'default/agent_1')).to.equal(null);
  });

  it('reads with earlier keys and seals with the first', () => {
    const rotated = createKeyring([key(2), key(1)]);
    expect(rotated.open('push credentials', sealed, 'default/agent_1')).to.equal('secret-token');
    const fresh = rotated.seal('push credentials', 'x', '');
    expect(createKeyring([key(1)]).open('push credentials', fresh, '')).to.equal(null);
    expect(createKeyring([key(2)]).open('push credentials', fresh, '')).to.equal('x');
  });

  it('has another subkey for each purpose', () => {
    const ring = createKeyring([key(1)]);
    expect(ring.derive('cursors')).not.to.deep.equal(ring.derive('minted secrets'));
    expect(ring.derive('cursors', 'unknown')).to.equal(null);
  });
});
