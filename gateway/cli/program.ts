/**
 * The command line. Exit codes: 0 success, 1 failure (with a sentence that says why), 2 usage error.
 *
 * Each command imports its dependencies when it runs, so that `--help` does not load a database.
 */
import type { AuditOptions } from './audit.js';
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { configWarnings, loadConfig, type Config, type Environment } from '../../src/config/config.js';
import { settingsHelp, settingsInForce, settingsMarkdown } from '../../src/config/table.js';
import { scopes, tiers, type Scope, type Tier, type Mode } from '../../src/domain/shared/vocabulary.js';
import { shardCounts } from '../../src/store/shards.js';
import { keyInput } from '../../src/domain/shared/inputs.js';
import { sentences } from './failure.js';
import type { ExportCommand } from './export.js';
import type { ImportCommand } from './import.js';
import type { Io } from './io.js';
import { packageVersion } from '../../src/base/system.js';

/** Serves until the process is told to stop, and resolves to the exit code. gateway/main/ provides it. */
export type Serve = (config: Config, io: Io) => Promise<number>;

/** Runs one command and resolves to its exit code. Never rejects. */
export async function runCli(args: readonly string[], environment: Environment, io: Io, serve: Serve): Promise<number> {
  let code = 0;
  const config = (): Config => loadConfig(environment, io.terminal);
  const program = base(io);
  addServing(program, config, io, serve, (c) => {
    code = c;
  });
  addWorkspaces(program, config, io);
  addKeys(program, config, io);
  addPushes(program, config, io);
  addAudit(program, config, io);
  addBackups(program, config, io);
  addTransfers(program, config, environment, io);
  addCluster(program, config, io);
  addMcp(program, environment, io);
  try {
    await program.parseAsync(args, { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    for (const sentence of sentences(error)) io.note(`hivekeep: ${sentence}`);
    return 1;
  }
}

function base(io: Io): Command {
  return new Command('hivekeep')
    .description('Agents with memory, mailboxes and durable runs, behind one REST API.')
    .version(packageVersion())
    .exitOverride()
    .configureOutput({ writeOut: (text) => io.out(text.trimEnd()), writeErr: (text) => io.note(text.trimEnd()) })
    .showHelpAfterError('(hivekeep --help says more)')
    .addHelpText(
      'after',
      '\nSettings come from the environment: "hivekeep config" shows them, "hivekeep serve --help" explains them.',
    );
}

type MakeConfig = () => Config;

function addServing(program: Command, config: MakeConfig, io: Io, serve: Serve, exit: (code: number) => void): void {
  program
    .command('serve')
    .description('start the service')
    .addHelpText('after', () => `\nSettings, from the environment (default):\n${settingsHelp()}`)
    .action(async () => {
      exit(await serve(config(), io));
    });
  program
    .command('doctor')
    .description('check the configuration, the store, Redis, the port, the clock and Node, and report what is wrong')
    .option('--deep', 'also read all data of the embedded store: every page and every value')
    .action(async (o: { deep?: true }) => {
      exit(await (await import('./doctor.js')).doctor(config, io, o.deep ?? false));
    });
  program
    .command('config')
    .description('show the settings in force')
    .option('--markdown', 'print all settings and their defaults as a table in Markdown')
    .action((options: { markdown?: true }) => {
      if (options.markdown) {
        io.out(settingsMarkdown());
        return;
      }
      const read = config();
      io.out(settingsInForce(read));
      for (const warning of configWarnings(read)) io.note(`hivekeep: ${warning}`);
    });
}

const tierOption = (): Option => new Option('--tier <tier>', 'its limits').choices(tiers).makeOptionMandatory();

function addWorkspaces(program: Command, config: MakeConfig, io: Io): void {
  const workspace = program.command('workspace').description('create, list and change workspaces');
  workspace
    .command('create <name>')
    .description('create a workspace and print its id')
    .addOption(tierOption())
    .action(async (name: string, options: { tier: Tier }) => {
      await (await import('./workspace.js')).workspaceCreate(config(), io, name, options.tier);
    });
  workspace
    .command('list')
    .description('list workspaces')
    .action(async () => {
      await (await import('./workspace.js')).workspaceList(config(), io);
    });
  workspace
    .command('set-tier')
    .description('change the tier of a workspace')
    .argument('<name>')
    .addArgument(program.createArgument('<tier>').choices(tiers))
    .action(async (name: string, tier: Tier) => {
      await (await import('./workspace.js')).workspaceSetTier(config(), io, name, tier);
    });
}

interface KeyOptions {
  workspace: string;
  mode: Mode;
  name: string;
  scopes?: Scope[];
  expires?: string;
}

function addKeys(program: Command, config: MakeConfig, io: Io): void {
  const key = program.command('key').description('create, list and revoke API keys');
  key
    .command('create')
    .description('create a key and print it; it is not shown again')
    .requiredOption('--workspace <name>', 'the workspace that it opens')
    .addOption(
      new Option('--mode <mode>', 'test keys work in the sandbox, with its limits')
        .choices(['live', 'test'])
        .makeOptionMandatory(),
    )
    .requiredOption('--name <name>', 'what it is for', keyName)
    .option(
      '--scopes <list>',
      `the scopes of the key, separated by commas (default: all): ${scopes.join(', ')}`,
      scopeList,
    )
    .option('--expires <time>', 'when the key expires, in ISO 8601, such as 2030-01-31T12:00:00Z', expiry)
    .action(async (o: KeyOptions) => {
      await (
        await import('./key.js')
      ).keyCreate(config(), io, o.workspace, {
        name: o.name,
        mode: o.mode,
        scopes: o.scopes ?? scopes,
        expires_at: o.expires ?? null,
      });
    });
  program
    .command('sign-in')
    .description('print a link that signs you in to the console of the server that runs here, once')
    .action(async () => {
      (await import('./sign-in.js')).signIn(config(), io);
    });
  key
    .command('list')
    .description('list the keys of a workspace, without their secrets')
    .requiredOption('--workspace <name>', 'the workspace')
    .action(async (o: { workspace: string }) => {
      await (await import('./key.js')).keyList(config(), io, o.workspace);
    });
  key
    .command('revoke <id>')
    .description('revoke a key')
    .option('--workspace <name>', 'the workspace to look in (default: all)')
    .action(async (id: string, o: { workspace?: string }) => {
      await (await import('./key.js')).keyRevoke(config(), io, id, o.workspace);
    });
}

function addPushes(program: Command, config: MakeConfig, io: Io): void {
  const push = program.command('push').description('list undeliverable push notifications, and retry them');
  push
    .command('list')
    .description('list them, newest first')
    .option('--workspace <name>', 'the workspace (default: all)')
    .option('--json', 'print a JSON array')
    .action(async (o: { workspace?: string; json?: true }) => {
      await (await import('./push.js')).pushList(config(), io, o);
    });
  const replay = push
    .command('replay')
    .description('retry one of them, or all')
    .argument('[id]', 'the id of a notification')
    .option('--all', 'retry all of them')
    .option('--workspace <name>', 'the workspace to look in (default: all)');
  replay.action(async (id: string | undefined, o: { workspace?: string; all?: true }) => {
    if ((id === undefined) === (o.all === undefined)) replay.error('error: name the id of one push, or say --all');
    await (await import('./push.js')).pushReplay(config(), io, id ?? null, o);
  });
}

function addAudit(program: Command, config: MakeConfig, io: Io): void {
  program
    .command('audit')
    .description('read the audit log: who has changed what')
    .command('list')
    .description('list its entries, newest first')
    .requiredOption('--workspace <name>', 'the workspace')
    .option('--json', 'print a JSON array')
    .option('--lines', 'print a line of JSON for each, as they are read')
    .option('--actor <id>', 'only what this key, token or person did')
    .option('--action <name>', 'only what was done so, such as memory.deleted')
    .option('--agent <id>', 'only what belongs to this agent')
    .option('--target <id>', 'only what was done to the thing with this id')
    .option('--since <time>', 'only from this time on')
    .option('--until <time>', 'only before this time')
    .action(async (o: AuditOptions) => {
      await (await import('./audit.js')).auditList(config(), io, o);
    });
}

function addBackups(program: Command, config: MakeConfig, io: Io): void {
  program
    .command('backup <dir>')
    .description('copy the embedded store into an empty folder, also while it serves')
    .option('--verify', 'make none, but read the one in the folder, and say whether it is whole')
    .action(async (dir: string, o: { verify?: true }) => {
      const { backup, backupVerify } = await import('./backup.js');
      await (o.verify ? backupVerify(io, dir) : backup(config(), io, dir));
    });
  program
    .command('restore <dir>')
    .description('put a backup into the data folder, which must be empty or must not exist yet')
    .action(async (dir: string) => {
      await (await import('./backup.js')).restoreBackup(config(), io, dir);
    });
}

const remoteHelp = '\nWith --url, HIVEKEEP_KEY is an API key with workspace:admin, which says the workspace.';

function addTransfers(program: Command, config: MakeConfig, environment: Environment, io: Io): void {
  program
    .command('export <file>')
    .description('write a workspace into a file of JSON lines, also while it serves; prints the digest of its lines')
    .option('--workspace <name>', 'the workspace')
    .option('--url <url>', 'of a running server to export from, instead of the store')
    .option('--agent <id>', 'this agent alone')
    .option('--with-credentials', 'with its keys and tokens, as hashes')
    .addHelpText('after', remoteHelp)
    .action(async (file: string, o: ExportCommand, command: Command) => {
      requireSource(o, command);
      const { exportRemote, exportWorkspace } = await import('./export.js');
      await (o.url === undefined ? exportWorkspace(config(), io, file, o) : exportRemote(environment, io, file, o));
    });
  program
    .command('migrate')
    .description('copy everything from one store into another, empty one; both must not be served meanwhile')
    .requiredOption('--from <store>', 'lmdb:FOLDER or mongodb://HOST/DATABASE')
    .requiredOption('--to <store>', 'the same')
    .addOption(
      new Option('--shards <number>', 'into which a new database divides its agents').choices(shardCounts.map(String)),
    )
    .action(async ({ shards, ...o }: { from: string; to: string; shards?: string }) => {
      await (
        await import('./migrate.js')
      ).migrateStore(io, { ...o, shards: shardCounts.find((count) => String(count) === shards) ?? null });
    });
  program
    .command('import <file>')
    .description('take an export, or memories of another program, into a workspace; what exists already stays')
    .option('--workspace <name>', 'the workspace')
    .option('--url <url>', 'of a running server to import through, instead of into the store')
    .option('--agent <id>', 'whose memories they are, for other formats (default: the workspace itself)')
    .addOption(
      new Option('--format <format>', 'what the file is')
        .choices(['hivekeep', 'mem0', 'letta', 'text'])
        .default('hivekeep'),
    )
    .option('--new-ids [label]', 'make a copy beside what is there; another label makes another copy')
    .option('--with-credentials', 'with its keys and tokens')
    .addHelpText('after', remoteHelp)
    .action(async (file: string, o: ImportCommand, command: Command) => {
      requireSource(o, command);
      const { importFile, importRemote } = await import('./import.js');
      await (o.url === undefined ? importFile(config(), io, file, o) : importRemote(environment, io, file, o));
    });
}

function requireSource({ workspace, url }: { workspace?: string; url?: string }, command: Command): void {
  if (workspace === undefined && url === undefined)
    command.error("error: required option '--workspace <name>', or '--url <url>' of a running server, not specified");
}

function addCluster(program: Command, config: MakeConfig, io: Io): void {
  program
    .command('cluster')
    .description('show the processes of a cluster, and who holds what')
    .option('--json', 'print one JSON object')
    .option('--watch', 'refresh every two seconds until interrupted')
    .action(async (o: { json?: true; watch?: true }) => {
      await (await import('./cluster.js')).cluster(config(), io, o);
    });
}

function addMcp(program: Command, environment: Environment, io: Io): void {
  program
    .command('mcp')
    .description('speak MCP on standard input and output for a desktop client or editor, with a running server')
    .option('--agent <agent>', 'the id or the name of the agent that it is for (default: the whole workspace)')
    .addHelpText(
      'after',
      '\nHIVEKEEP_KEY is the API key, or a token of the agent with the scope agent:mcp (then name the agent by its id).\nHIVEKEEP_URL is where the server is (default: http://127.0.0.1:8420).',
    )
    .action(async (o: { agent?: string }) => {
      await (await import('./mcp-bridge.js')).mcpBridge(environment, io, process.stdin, o.agent);
    });
}

function keyName(text: string): string {
  const checked = keyInput.shape.name.safeParse(text);
  if (!checked.success) throw new InvalidArgumentError(`It ${checked.error.issues[0]?.message}.`);
  return text;
}

function scopeList(text: string): Scope[] {
  const named = text
    .split(',')
    .map((s) => s.trim())
    .filter((s) => s !== '');
  const known = scopes.filter((s) => named.includes(s));
  const strange = named.find((s) => !known.some((k) => k === s));
  if (strange !== undefined) throw new InvalidArgumentError(`${strange} is no scope; there are ${scopes.join(', ')}.`);
  if (known.length === 0) throw new InvalidArgumentError('It names no scope.');
  return known;
}

/** Normalises to UTC, as the service stores all times. */
function expiry(text: string): string {
  const checked = keyInput.shape.expires_at.safeParse(text);
  if (!checked.success) throw new InvalidArgumentError(`It ${checked.error.issues[0]?.message}.`);
  if (Date.parse(text) <= Date.now()) throw new InvalidArgumentError('It is in the past.');
  return new Date(text).toISOString();
}
