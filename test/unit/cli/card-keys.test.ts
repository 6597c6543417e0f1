/** Where the key of agent cards comes from (gateway/cli/card-keys.ts). */
import { expect } from 'chai';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openCardSigner } from '../../../gateway/cli/card-keys.js';

describe('the key of agent cards', () => {
  let dir: string;
  let cardKeyFile: string;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'hivekeep-card-'));
    cardKeyFile = join(dir, 'card.pem');
  });
  afterEach(() => {
    rmSync(dir, { recursive: true, force: true });
  });
  const kids = async (mongodbUrl: string | null = null): Promise<unknown[]> =>
    (await openCardSigner({ cardKeyFile, mongodbUrl }))?.jwks.keys.map(({ kid }) => kid) ?? [];
  const failure = (mongodbUrl: string | null = null): Promise<string> =>
    kids(mongodbUrl).then(
      () => 'it opened',
      (error: Error) => error.message,
    );
  const ec = (): { privateKey: KeyObject; publicKey: KeyObject } => generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const pkcs8 = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' }).toString();

  it('is none unless a file is named', async () => {
    expect(await openCardSigner({ cardKeyFile: null, mongodbUrl: null })).to.equal(null);
  });

  it('is made by the first start, for its owner alone, and kept', async () => {
    const made = await kids();
    expect(made).to.have.length(1);
    expect(statSync(cardKeyFile).mode & 0o777).to.equal(0o600);
    expect(await kids()).to.deep.equal(made);
  });

  it('is read in each form that openssl writes, with the keys before and after it', async () => {
    const [first, second, third] = [ec(), ec(), ec()];
    const sec1 = first.privateKey.export({ type: 'sec1', format: 'pem' }).toString();
    const parameters = '-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n';
    const shown = third.publicKey.export({ type: 'spki', format: 'pem' }).toString();
    writeFileSync(cardKeyFile, parameters + sec1 + pkcs8(second.privateKey) + shown);
    const all = await kids();
    expect(new Set(all)).to.have.property('size', 3);
    writeFileSync(cardKeyFile, pkcs8(first.privateKey));
    expect(await kids()).to.deep.equal(all.slice(0, 1));
  });

  it('has to be there for the processes of a cluster', async () => {
    expect(await failure('mongodb://x/y'))
      .to.include(cardKeyFile)
      .and.include('ENOENT');
    expect(existsSync(cardKeyFile)).to.equal(false);
  });

  it('is refused, with the setting and what was expected, if it is anything else', async () => {
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
    const other = generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey;
    const shown = ec().publicKey.export({ type: 'spki', format: 'pem' }).toString();
    const broken = pkcs8(ec().privateKey).replace(/\n..../, '\n!!!!');
    const cutOff = pkcs8(ec().privateKey) + pkcs8(ec().privateKey).slice(0, -9);
    for (const text of [
      '',
      'x',
      pkcs8(rsa),
      pkcs8(other),
      shown,
      broken,
      cutOff,
      pkcs8(ec().privateKey) + pkcs8(rsa),
    ]) {
      writeFileSync(cardKeyFile, text);
      expect(await failure(), text)
        .to.include('HIVEKEEP_CARD_KEY_FILE')
        .and.include('P-256');
    }
  });
});
