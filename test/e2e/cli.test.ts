/**
 * The command line as people type it: exit codes, what goes to which stream, on a store of its own without a server.
 */
import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cli, type CliResult } from '../helpers/cli.js';
import { buildWhenNeeded } from '../helpers/server.js';

describe('command line', function () {
  this.timeout(60_000);
  let dir: string;
  const run = (args: string, env: Record<string, string> = {}): Promise<CliResult> =>
    cli(args.split(' '), { HIVEKEEP_DATA_DIR: join(dir, 'data'), HIVEKEEP_PORT: '0', ...env });

  before(buildWhenNeeded);
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'hivekeep-cli-'));
  });
  afterEach(() => {
    rmSync(dir, { recursive: true, force: true });
  });

  const usage = [
    '',
    'serv',
    'key create',
    'workspace create acme',
    'workspace create acme --tier gold',
    'workspace set-tier default gold',
    'key create --workspace default --mode live',
    'key create --workspace default --mode live --name x --scopes fly',
    'key create --workspace default --mode live --name x --expires yesterday',
    'key create --workspace default --mode live --name x --expires 2001-01-01T00:00:00Z',
    'key revoke',
    'audit list',
    'backup',
    'restore',
    'export x',
    'import x',
    'import x --workspace default --format csv',
    'doctor now',
    'serve --port 1',
  ];
  for (const args of usage) {
    it(`answers 2 and says why: hivekeep ${args}`, async () => {
      const { code, stdout, stderr } = await run(args);
      expect(code, stderr).to.equal(2);
      expect(stdout).to.equal('');
      expect(stderr)
        .to.match(/error:|Usage:/)
        .and.not.match(/\n\s+at /);
    });
  }

  it('answers 0 to --help and --version, on standard output', async () => {
    for (const args of ['--help', '--version', 'serve --help', 'key create --help']) {
      const { code, stdout, stderr } = await run(args);
      expect({ code, stderr }, args).to.deep.equal({ code: 0, stderr: '' });
      expect(stdout).to.match(/\S/);
    }
    expect((await run('serve --help')).stdout).to.include('HIVEKEEP_TRUSTED_PROXIES');
  });

  it('stops at a setting that it does not know, naming it and the nearest', async () => {
    for (const command of ['serve', 'config', 'workspace list']) {
      const { code, stdout, stderr } = await run(command, { HIVEKEEP_PROT: '1' });
      expect({ code, stdout, stderr }).to.deep.equal({
        code: 1,
        stdout: '',
        stderr: 'hivekeep: HIVEKEEP_PROT is not a setting of hivekeep; did you mean HIVEKEEP_PORT?\n',
      });
    }
  });

  it('creates, lists and changes workspaces', async () => {
    const made = await run('workspace create acme --tier team');
    expect(made).to.include({ code: 0 });
    expect(made.stdout).to.match(/^ws_[0-9a-z]{26}\n$/);
    expect(await run('workspace create acme --tier pro')).to.deep.include({
      code: 1,
      stdout: '',
      stderr: 'hivekeep: A workspace named acme already exists.\n',
    });
    expect(await run('workspace set-tier acme free')).to.include({ code: 0, stdout: '' });
    const { stdout } = await run('workspace list');
    expect(stdout).to.match(/^ID +NAME +TIER +CREATED\ndefault +default +enterprise +\S+\nws_\S+ +acme +free +\S+\n$/);
  });

  it('prints a raw key alone on standard output, once, and revokes it', async () => {
    await run('workspace create acme --tier team');
    const made = await run(
      'key create --workspace default --mode test --name ci --scopes agent:read,memory:read --expires 2999-01-31T12:00:00+01:00',
    );
    expect(made.code, made.stderr).to.equal(0);
    expect(made.stdout).to.match(/^svc_test_[0-9A-Za-z]{40}\n$/);
    const listed = await run('key list --workspace default');
    expect(listed.stdout).not.to.include(made.stdout.trim());
    const line = listed.stdout.split('\n')[1]!;
    expect(line).to.match(
      /^key_\S+ +test +ci +svc_test_\w{4}\.\.\. +2999-01-31T11:00:00\.000Z +never +\S+ +agent:read,memory:read$/,
    );
    expect(await run(`key revoke ${line.split(' ')[0]}`)).to.include({ code: 0, stdout: '' });
    expect((await run('key list --workspace default')).stdout.trim().split('\n')).to.have.length(1);
    const audit = (await run('audit list --workspace default')).stdout.trim().split('\n');
    expect(audit.slice(1).map((row) => row.split(/ {2,}/).slice(1, 7))).to.deep.equal(
      ['key.revoked', 'key.created'].map((what) => [what, line.split(' ')[0], 'ci', '-', 'command line', '-']),
    );
  });

  it('says in one sentence what cannot be done', async () => {
    await run('workspace create acme --tier team');
    const failures: [string, RegExp][] = [
      ['key create --workspace nobody --mode live --name x', /^hivekeep: No workspace nobody\.\n$/],
      ['key revoke key_none', /^hivekeep: No key key_none\.\n$/],
      ['workspace set-tier nobody free', /^hivekeep: No workspace nobody\.\n$/],
      ['workspace create Bad_Name --tier free', /^hivekeep: .*lower-case letters.*\.\n$/],
    ];
    for (const [args, message] of failures) {
      const { code, stdout, stderr } = await run(args);
      expect({ code, stdout }, args).to.deep.equal({ code: 1, stdout: '' });
      expect(stderr).to.match(message);
    }
    const elsewhere = { HIVEKEEP_DATA_DIR: join(dir, 'elsewhere') };
    for (const args of ['workspace list', 'key create --workspace default --mode live --name x'])
      expect((await run(args, elsewhere)).stderr, args).to.match(
        /^hivekeep: There is no data folder .*elsewhere: start the service once/,
      );
    expect(existsSync(elsewhere.HIVEKEEP_DATA_DIR)).to.equal(false);
  });

  describe('doctor', () => {
    it('finds a new installation fine', async () => {
      const { code, stdout } = await run('doctor');
      expect(code, stdout).to.equal(0);
      expect(stdout)
        .to.match(/^ok {4}node: v/m)
        .and.match(/^ok {4}configuration: /m)
        .and.match(/^warn {2}data: .*does not exist yet/m)
        .and.match(/^ok {4}port: /m)
        .and.match(/^ok {4}clock: /m);
    });

    it('opens a store that is there and counts its workspaces', async () => {
      await run('workspace create acme --tier team');
      const { code, stdout } = await run('doctor');
      expect(code, stdout).to.equal(0);
      expect(stdout)
        .to.match(/^ok {4}data: .*\(2 workspaces\)$/m)
        .and.match(/^ok {4}data: a synced write takes \d+\.\d+ ms/m)
        .and.match(/^ok {4}data: .* MiB are free/m);
    });

    it('--deep reads everything, and finds what is damaged', async () => {
      await run('workspace create acme --tier team');
      const whole = await run('doctor --deep');
      expect(whole.code, whole.stdout).to.equal(0);
      expect(whole.stdout).to.match(/^ok {4}data: all \d+ pages in use and their \d+ entries can be read/m);
      const file = join(dir, 'data', 'data.mdb');
      const bytes = readFileSync(file);
      writeFileSync(file, bytes.fill(0, 2 * 4096));
      const damaged = await run('doctor --deep');
      expect(damaged.code, damaged.stdout).to.equal(1);
      expect(damaged.stdout)
        .to.match(/^fail {2}data: page \d+ \(main\) is empty\.$/m)
        .and.match(/^fail {2}data: damaged in .*restore the folder from a backup/m);
    });

    it('fails on a bad setting, a bad certificate, a file in place of the folder, a store that is no store', async () => {
      const file = join(dir, 'file');
      const broken = join(dir, 'broken');
      const foreign = join(dir, 'foreign');
      const lost = join(dir, 'lost');
      writeFileSync(file, 'x');
      for (const folder of [broken, foreign, lost]) mkdirSync(folder);
      writeFileSync(join(foreign, 'notes.txt'), "somebody else's");
      writeFileSync(join(lost, 'hivekeep.json'), '{"what":"the data of a hivekeep service","state":"ready"}');
      writeFileSync(join(broken, 'data.mdb'), Buffer.alloc(64 * 1024, 7));
      const failures: [Record<string, string>, RegExp][] = [
        [{ HIVEKEEP_LOG_LEVEL: 'loud' }, /^fail {2}configuration: HIVEKEEP_LOG_LEVEL must be/m],
        [
          { HIVEKEEP_CARD_KEY_FILE: file },
          /^fail {2}configuration: HIVEKEEP_CARD_KEY_FILE: .* must hold a private key/m,
        ],
        [{ HIVEKEEP_CARD_KEY_FILE: file }, /^warn {2}configuration: .*file holds a secret, and others .*chmod 600/m],
        [
          { HIVEKEEP_TLS_CERT: file, HIVEKEEP_TLS_KEY: file },
          /^fail {2}configuration: HIVEKEEP_TLS_CERT and HIVEKEEP_TLS_KEY are not/m,
        ],
        [
          { HIVEKEEP_TLS_CERT: join(dir, 'none'), HIVEKEEP_TLS_KEY: file },
          /^fail {2}configuration: HIVEKEEP_TLS_CERT names a file that cannot be read/m,
        ],
        [{ HIVEKEEP_DATA_DIR: file }, /^fail {2}data: .*it is no folder/m],
        [{ HIVEKEEP_DATA_DIR: broken }, /^fail {2}data: /m],
        [{ HIVEKEEP_DATA_DIR: foreign }, /^fail {2}data: .*holds something else \(notes\.txt\)/m],
        [{ HIVEKEEP_DATA_DIR: lost }, /^fail {2}data: .*data\.mdb is missing/m],
        [{ HIVEKEEP_HOST: '192.0.2.1' }, /^fail {2}port: cannot listen on 192\.0\.2\.1/m],
      ];
      for (const [env, line] of failures) {
        const { code, stdout, stderr } = await run('doctor', env);
        expect(stdout).to.match(line);
        expect({ code, stderr }).to.deep.equal({ code: 1, stderr: '' });
      }
    });

    it('fails on a folder that cannot be written, even by root', async () => {
      expect((await run('doctor', { HIVEKEEP_DATA_DIR: '/proc/hivekeep' })).stdout).to.match(
        /^fail {2}data: .*cannot be made: /m,
      );
    });
  });

  it('makes a backup, checks it, and restores it into another folder', async () => {
    await run('workspace create acme --tier pro');
    const made = await run(`backup ${dir}/backup`);
    expect(made).to.include({ code: 0, stdout: `${dir}/backup\n` });
    expect(made.stderr).to.include('secret key is not in it');
    expect((await run(`backup --verify ${dir}/backup`)).stderr).to.include('is whole');
    const elsewhere = { HIVEKEEP_DATA_DIR: join(dir, 'other') };
    const restored = await run(`restore ${dir}/backup`, elsewhere);
    expect(restored.code).to.equal(0);
    const [missing = '', holds = ''] = restored.stderr.split('\n');
    expect(missing)
      .to.include(`no secret key in ${join(dir, 'other.key')}`)
      .and.include('pushes');
    expect(holds).to.include('holds the data of');
    expect((await run('workspace list', elsewhere)).stdout).to.include('acme');
    const again = await run(`restore ${dir}/backup`, elsewhere);
    expect(again.code).to.equal(1);
    expect(again.stderr).to.match(/^hivekeep: The folder .* is not empty/m);
  });

  it('the systemd unit makes backups that are read back, and keeps the newest', async () => {
    await run('workspace create acme --tier pro');
    const unit = readFileSync('deploy/systemd/hivekeep-backup.service', 'utf8');
    const [, script = ''] = /^ExecStart=\/bin\/sh -ec '(.*)'$/m.exec(unit) ?? [];
    const backups = join(dir, 'backups');
    mkdirSync(backups);
    for (const old of ['2026-01-01T000000Z', '2026-01-02T000000Z', '2026-01-03T000000Z']) mkdirSync(join(backups, old));
    mkdirSync(join(backups, 'of mine'));
    const env = {
      ...process.env,
      HIVEKEEP_DATA_DIR: join(dir, 'data'),
      BACKUPS: backups,
      KEEP: '2',
      COMMAND: `${process.execPath} dist/gateway/main/main.js`,
    };
    await promisify(execFile)('sh', ['-ec', script.replaceAll('$$', '$').replaceAll('%%', '%')], { env });
    const [second, newest = '', ...others] = readdirSync(backups).sort();
    expect([second, ...others]).to.deep.equal(['2026-01-03T000000Z', 'of mine']);
    expect((await run(`backup --verify ${join(backups, newest)}`)).stderr).to.include('is whole');
  });

  it('exports a workspace, and imports it and plain texts elsewhere', async () => {
    await run('workspace create acme --tier pro');
    writeFileSync(join(dir, 'notes.txt'), 'the ibis is white\n\nthe emu is not');
    expect((await run(`import ${dir}/notes.txt --workspace acme --format text`)).stderr).to.include('2 memories');
    const made = await run(`export ${dir}/acme.ndjson --workspace acme`);
    expect(made.stderr).to.include('2 memories');
    expect(made.stdout).to.match(/^[0-9a-f]{64}\n$/);
    expect(readFileSync(join(dir, 'acme.ndjson'), 'utf8')).to.include('the emu is not');
    expect((await run(`export ${dir}/acme.ndjson --workspace acme`)).stderr).to.match(/exists/);
    expect((await run(`export ${dir}/x --workspace nobody`)).stderr).to.match(/There is no workspace nobody/);
    const elsewhere = { HIVEKEEP_DATA_DIR: join(dir, 'other') };
    await run('workspace create copy --tier pro', elsewhere);
    const first = await run(`import ${dir}/acme.ndjson --workspace copy`, elsewhere);
    expect(first).to.include({ code: 0, stdout: made.stdout });
    expect(first.stderr).to.include('2 memories');
    expect((await run(`import ${dir}/acme.ndjson --workspace copy`, elsewhere)).stderr).to.include(
      'Added to workspace copy: nothing',
    );
    const wrong = await run(`import ${dir}/notes.txt --workspace copy`, elsewhere);
    expect(wrong.stderr).to.match(/^hivekeep: .* was not imported. Line 1: must be JSON/);
  });
});
