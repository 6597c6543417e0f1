/** Where the secret key comes from, and that existing data keeps working (gateway/main/secret-key.ts). */
import { expect } from 'chai';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openKeyring } from '../../../gateway/main/secret-key.js';

/** Root is refused nothing, so it does the work as the user nobody, to whom the folders are given. */
async function withoutPrivileges(folders: readonly string[], work: () => Promise<void>): Promise<void> {
  if (process.geteuid?.() !== 0) return work();
  const nobody = 65_534;
  for (const folder of folders) chownSync(folder, nobody, nobody);
  process.seteuid?.(nobody);
  try {
    await work();
  } finally {
    process.seteuid?.(0);
  }
}

describe('the secret key of the service', () => {
  let dir: string;
  let warnings: string[];
  const log = {
    warn: (fields: unknown) => {
      warnings.push((fields as { event: string }).event);
    },
  };
  const none = {
    storedSecret: () => Promise.resolve(null),
    ensureStoredSecret: () => Promise.reject(new Error('made')),
  };
  const old = new Uint8Array(32).fill(9);
  const settings = (more: object = {}): Parameters<typeof openKeyring>[0] => ({
    secretKey: null,
    secretKeyFile: null,
    dataDir: join(dir, 'data'),
    mongodbUrl: null,
    ...more,
  });

  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'hivekeep-key-'));
    mkdirSync(join(dir, 'data'));
    warnings = [];
  });
  afterEach(() => {
    chmodSync(dir, 0o700);
    rmSync(dir, { recursive: true, force: true });
  });

  it('is made beside the data folder, for its owner alone, and the same at the next start', async () => {
    const first = await openKeyring(settings(), none, log);
    expect(statSync(join(dir, 'data.key')).mode & 0o777).to.equal(0o600);
    expect(existsSync(join(dir, 'data', 'secret.key'))).to.equal(false);
    expect((await openKeyring(settings(), none, log)).id).to.equal(first.id);
    expect(warnings).to.deep.equal([]);
  });

  it('is the one of the setting, which may name earlier ones too', async () => {
    const secretKey = ['k'.repeat(32), 'o'.repeat(32)];
    const ring = await openKeyring(settings({ secretKey }), none, log);
    const before = await openKeyring(settings({ secretKey: ['o'.repeat(32)] }), none, log);
    expect(ring.open('push credentials', before.seal('push credentials', 'x', ''), '')).to.equal('x');
    expect(existsSync(join(dir, 'data.key'))).to.equal(false);
  });

  it('is in the file that a setting names, which must be there for a cluster', async () => {
    const secretKeyFile = join(dir, 'elsewhere');
    const mongodbUrl = 'mongodb://db';
    const refusal = await openKeyring(settings({ secretKeyFile, mongodbUrl }), none, log).catch(String);
    expect(refusal).to.include(secretKeyFile);
    const made = await openKeyring(settings({ secretKeyFile }), none, log);
    expect((await openKeyring(settings({ secretKeyFile, mongodbUrl }), none, log)).id).to.equal(made.id);
    expect(readFileSync(secretKeyFile, 'utf8')).to.match(/^[0-9a-f]{64}\n$/);
  });

  it('that is too short, or no key at all, stops the start with a sentence', async () => {
    const secretKeyFile = join(dir, 'short');
    writeFileSync(secretKeyFile, 'abc\n');
    expect(await openKeyring(settings({ secretKeyFile }), none, log).catch(String)).to.include('32 characters');
  });

  it('of a cluster that is given none is the one in the database, and the log says so', async () => {
    const admin = { ...none, ensureStoredSecret: () => Promise.resolve(old) };
    const ring = await openKeyring(settings({ mongodbUrl: 'mongodb://db' }), admin, log);
    expect(warnings).to.deep.equal(['secret_key.in_database']);
    // with a key of its own, what was sealed before still opens
    const sealed = ring.seal('push credentials', 'x', '');
    const later = await openKeyring(
      settings({ mongodbUrl: 'mongodb://db', secretKey: ['k'.repeat(32)] }),
      { ...none, storedSecret: () => Promise.resolve(old) },
      log,
    );
    expect(later.open('push credentials', sealed, '')).to.equal('x');
  });

  it('is in the data folder where nothing can be written beside it, and the log says so', async () => {
    chmodSync(dir, 0o500);
    await withoutPrivileges([dir, join(dir, 'data')], async () => {
      const first = await openKeyring(settings(), none, log);
      expect(warnings).to.deep.equal(['secret_key.in_data_folder']);
      expect((await openKeyring(settings(), none, log)).id).to.equal(first.id);
    });
  });
});
