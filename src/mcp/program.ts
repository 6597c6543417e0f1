/**
 * A server by stdio: a program that the operator has configured, in a process of its own.
 *
 *  McpProgram.M1 With it end the processes that it has started: it leads a group, which is ended as a whole.
 *  McpProgram.M2 It inherits no file of the service, of which the store's would be open for writing.
 *  McpProgram.M3 What it writes is read a line at a time and a line a turn, a line of at most `most.bytes`; no further
 *     line is read while it does not take what it is sent.
 */
import { type ChildProcess, spawn, type StdioNull, type StdioOptions, type StdioPipeNamed } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { type JSONRPCMessage, parseJSONRPCMessage, type Transport } from '@modelcontextprotocol/client';
import { getDefaultEnvironment } from '@modelcontextprotocol/client/stdio';
import { readLines } from '../transfer/lines.js';
import { most, refuseLarge } from './bounds.js';
import type { McpCommand } from './commands.js';

/** How long it has to end after its input has ended, and again after it was asked to (ms). */
const graceMs = 2000;

/** Not started yet. */
export const startProgram = (command: McpCommand): Transport => new Program(command);

class Program implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** By these two the SDK tells that it is a program, which may answer nothing to what it does not know. */
  readonly stderr = null;
  get pid(): number | null {
    return this.child?.pid ?? null;
  }
  private child: ChildProcess | undefined;
  private ended: Promise<unknown> = Promise.resolve();

  constructor(private readonly given: McpCommand) {}

  async start(): Promise<void> {
    const { command, args, env, cwd } = this.given;
    const inherited = await inheritedFiles();
    const child = withoutFiles(inherited, (stdio) =>
      spawn(command, args, {
        env: { ...getDefaultEnvironment(), ...env },
        ...(cwd !== undefined && { cwd }),
        detached: true,
        stdio,
        windowsHide: true,
      }),
    );
    this.child = child;
    child.on('error', (error) => this.onerror?.(error));
    child.stdin?.on('error', (error) => this.onerror?.(error));
    this.ended = new Promise((resolve) => {
      child.once('exit', resolve);
      child.once('error', resolve);
    });
    child.once('exit', () => {
      void this.endGroup(child);
    });
    await once(child, 'spawn');
    void this.read(child);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const input = this.child?.stdin;
    if (!input?.writable) throw new Error('the program has ended');
    if (!input.write(`${JSON.stringify(message)}\n`)) await this.drained(input);
  }

  async close(): Promise<void> {
    const { child } = this;
    this.child = undefined;
    if (!child) return;
    child.stdin?.end();
    if (child.exitCode === null && child.signalCode === null) {
      await Promise.race([this.ended, pause(graceMs, undefined, { ref: false })]);
      await this.endGroup(child);
    }
    this.onclose?.();
  }

  private async drained(input: Writable): Promise<void> {
    await Promise.race([once(input, 'drain').catch(() => undefined), this.ended]);
  }

  private async read(child: ChildProcess): Promise<void> {
    try {
      if (child.stdout)
        for await (const { bytes } of readLines(child.stdout, most.bytes)) {
          const message = messageIn(bytes);
          if (message) this.onmessage?.(message);
          await nextTurn();
          if (child.stdin?.writableNeedDrain === true) await this.drained(child.stdin);
        }
    } catch (error) {
      this.onerror?.(error as Error);
    }
    await this.close();
  }

  /** Ends what is left of its group. */
  private async endGroup(child: ChildProcess): Promise<void> {
    if (!signal(child, 'SIGTERM')) return;
    await Promise.race([this.ended, pause(graceMs, undefined, { ref: false })]);
    signal(child, 'SIGKILL');
  }
}

/** Returns false if nobody is left in the group. */
function signal({ pid }: ChildProcess, name: NodeJS.Signals): boolean {
  if (pid === undefined) return false;
  try {
    return process.kill(-pid, name);
  } catch {
    return false;
  }
}

/** What is no message is left out, as programs write other things there, too. Throws a PushError beyond the bounds. */
function messageIn(line: Buffer): JSONRPCMessage | null {
  refuseLarge(line);
  try {
    return parseJSONRPCMessage(JSON.parse(line.toString('utf8')));
  } catch {
    return null;
  }
}

const closesItself = 0o2000000; // O_CLOEXEC of Linux

/** Puts /dev/null in the place of files that a new process would inherit. */
function withoutFiles<T>(inherited: readonly number[], work: (stdio: StdioOptions) => T): T {
  const stdio: (StdioPipeNamed | StdioNull | number)[] = ['pipe', 'pipe', 'ignore'];
  if (inherited.length === 0) return work(stdio);
  const nothing = openSync('/dev/null', 'r+');
  try {
    for (const file of inherited) {
      while (stdio.length < file) stdio.push('ignore');
      stdio[file] = nothing;
    }
    return work(stdio);
  } finally {
    closeSync(nothing);
  }
}

/**
 * The files of the service that a new process would inherit: lmdb opens its data file so. None where the system does not
 * tell which these are.
 */
async function inheritedFiles(): Promise<number[]> {
  const files = (await readdir('/proc/self/fd').catch(() => [])).map(Number).sort((a, b) => a - b);
  const found: number[] = [];
  for (const file of files) if (file > 2 && (await isInherited(file))) found.push(file);
  return found;
}

/** The file may have been closed since it was listed. */
async function isInherited(file: number): Promise<boolean> {
  const info = await readFile(`/proc/self/fdinfo/${file}`, 'utf8').catch(() => '');
  const flags = /^flags:\s*([0-7]+)/m.exec(info)?.[1];
  return flags !== undefined && (parseInt(flags, 8) & closesItself) === 0;
}
