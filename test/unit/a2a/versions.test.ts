/** Which methods there are, and which form each version has. */
import { expect } from 'chai';
import { codecFor, readVersion } from '../../../src/a2a/codecs.js';
import { methods } from '../../../src/a2a/methods.js';

describe('a2a: methods and versions', () => {
  it('every method has one dialect; what objects inherit is no method', () => {
    expect(methods).to.have.property('size', 21);
    for (const [name, { dialect }] of methods)
      expect(/^[a-z]+(\/[A-Za-z]+)+$/.test(name) ? 'slash' : 'pascal', name).to.equal(dialect);
    for (const name of ['constructor', 'toString', '__proto__', 'message/Send', 'sendMessage', ''])
      expect(methods.has(name), name).to.equal(false);
  });

  it('a version is Major.Minor; a patch says nothing; absent or empty is 0.3', () => {
    for (const [given, version] of [
      [undefined, '0.3'],
      ['', '0.3'],
      [' ', '0.3'],
      ['0.2', '0.2'],
      ['0.2.5', '0.2'],
      ['0.3', '0.3'],
      ['0.3.0', '0.3'],
      ['1.0', '1.0'],
      [' 1.0 ', '1.0'],
      ['1.0.1', '1.0'],
    ] as const) {
      expect(readVersion(given), String(given)).to.equal(version);
    }
    for (const given of [
      '1',
      '1.1',
      '2.0',
      '0.1',
      '10.0',
      '1.0.',
      '1.0.x',
      '1.0.1.2',
      'v1.0',
      '1,0',
      '0.30',
      '99.0',
      '1.0, 0.3',
    ]) {
      expect(() => readVersion(given), given)
        .to.throw('Version not supported: this agent speaks 0.2, 0.3, 1.0')
        .with.property('code', -32009);
    }
  });

  it('the dialect decides; the header only between 0.2 and 0.3', () => {
    expect(codecFor('slash', '0.2').version).to.equal('0.2');
    expect(codecFor('slash', '0.3').version).to.equal('0.3');
    expect(codecFor('slash', '1.0').version).to.equal('0.3');
    for (const version of ['0.2', '0.3', '1.0'] as const) expect(codecFor('pascal', version).version).to.equal('1.0');
  });
});
