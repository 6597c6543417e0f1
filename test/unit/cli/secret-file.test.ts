import { expect } from 'chai';
import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exposedSecrets, missingKeyFile } from '../../../gateway/cli/secret-file.js';

describe('the files of secrets', () => {
  let dir: string;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'hivekeep-secrets-'));
  });
  afterEach(() => {
    rmSync(dir, { recursive: true, force: true });
  });
  const made = (name: string, mode: number): string => {
    const path = join(dir, name);
    writeFileSync(path, 'x');
    chmodSync(path, mode);
    return path;
  };
  const settings = () => ({
    secretKey: null as readonly string[] | null,
    secretKeyFile: null as string | null,
    dataDir: join(dir, 'data'),
    mongodbUrl: null as string | null,
    tlsKey: null as string | null,
    cardKeyFile: null as string | null,
  });

  it('are named where others than their owner may read them', () => {
    const exposed = [made('data.key', 0o640), made('tls.key', 0o644), made('card.pem', 0o604)];
    const [, tlsKey = '', cardKeyFile = ''] = exposed;
    const told = exposedSecrets({ ...settings(), tlsKey, cardKeyFile });
    expect(told).to.have.length(3);
    exposed.forEach((path, i) => expect(told[i]).to.include(path).and.include('chmod 600'));
    for (const path of exposed) chmodSync(path, 0o600);
    expect(exposedSecrets({ ...settings(), tlsKey, cardKeyFile })).to.deep.equal([]);
    expect(exposedSecrets({ ...settings(), cardKeyFile: join(dir, 'not there yet') })).to.deep.equal([]);
  });

  it('may be read by a group where they belong to somebody else, as keys of TLS do', () => {
    const tlsKey = made('tls.key', 0o640);
    const told = () => exposedSecrets({ ...settings(), tlsKey });
    const { getuid } = process;
    try {
      process.getuid = () => getuid!() + 1;
      expect(told()).to.deep.equal([]);
      chmodSync(tlsKey, 0o644);
      expect(told()).to.have.length(1);
    } finally {
      process.getuid = getuid!;
    }
  });

  it('that cannot be looked at are left to those who read them', () => {
    const inAFile = join(made('file', 0o600), 'card.pem');
    const loop = join(dir, 'loop');
    symlinkSync(loop, loop);
    for (const cardKeyFile of [inAFile, loop]) expect(exposedSecrets({ ...settings(), cardKeyFile })).to.deep.equal([]);
  });

  it('a missing secret key is told by the file that the next start makes', () => {
    expect(missingKeyFile(settings())).to.equal(join(dir, 'data.key'));
    const named = { ...settings(), secretKeyFile: join(dir, 'other.key') };
    expect(missingKeyFile(named)).to.equal(named.secretKeyFile);
    for (const elsewhere of [{ secretKey: ['k'.repeat(32)] }, { mongodbUrl: 'mongodb://x/y' }])
      expect(missingKeyFile({ ...settings(), ...elsewhere })).to.equal(null);
    made('data.key', 0o600);
    expect(missingKeyFile(settings())).to.equal(null);
  });
});
