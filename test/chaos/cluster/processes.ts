/**
 * The processes of a cluster, as whatever supervises them in production does it: one that ends before it serves is
 * started again. Everything that it prints goes to a file of its own.
 *
 *  - `troubles` tells what no fault explains: a process that ended by itself while it served, or did not end on
 *    SIGTERM.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { cleanEnvironment, mainFile } from '../../helpers/server.js';

const startPatienceMs = 60_000;
const retryMs = 300;
export const shutdownSeconds = 6;
/** Beyond its own time a stop has this much for the machine's load. */
const stopSlackMs = 8_000;

export class ManagedProcess {
  /** Where it serves; the last one while it is away. */
  url = '';
  readonly troubles: string[] = [];
  /** Starts that ended before they served: no trouble while a server was away. */
  failedStarts = 0;
  private child: ChildProcess | null = null;
  private starting: Promise<void> | null = null;
  private state: 'away' | 'starting' | 'serving' | 'ending' = 'away';
  private readonly atExit = (): void => {
    this.child?.kill('SIGKILL');
  };

  constructor(
    readonly name: string,
    readonly role: string,
    private readonly env: Record<string, string>,
    private readonly folder: string,
  ) {}

  get logFile(): string {
    return join(this.folder, `${this.name}.log`);
  }
  get serving(): boolean {
    return this.state === 'serving';
  }

  /** Resolves when it serves. Several callers wait for one start. */
  start(): Promise<void> {
    if (this.state === 'serving') return Promise.resolve();
    return (this.starting ??= this.startAnew().finally(() => {
      this.starting = null;
    }));
  }

  private async startAnew(): Promise<void> {
    this.state = 'starting';
    for (const end = Date.now() + startPatienceMs; ; await pause(retryMs)) {
      if (this.state !== 'starting') throw new Error(`${this.name} was ended while it started`);
      if (await this.launch()) return;
      this.failedStarts++;
      if (Date.now() > end) throw new Error(`${this.name} does not start: see ${this.logFile}`);
    }
  }

  async kill(): Promise<void> {
    await this.end('SIGKILL');
  }

  /** SIGTERM; kills it where it does not end in its time. */
  async stop(): Promise<void> {
    const late = setTimeout(
      () => {
        this.troubles.push(`${this.name} did not end within ${shutdownSeconds + stopSlackMs / 1000} s of SIGTERM`);
        this.child?.kill('SIGKILL');
      },
      shutdownSeconds * 1000 + stopSlackMs,
    );
    await this.end('SIGTERM');
    clearTimeout(late);
  }

  freeze(): void {
    this.child?.kill('SIGSTOP');
  }
  thaw(): void {
    this.child?.kill('SIGCONT');
  }

  private end(signal: NodeJS.Signals): Promise<void> {
    const { child } = this;
    this.state = child === null ? 'away' : 'ending';
    if (child === null) return Promise.resolve();
    return new Promise((resolve) => {
      child.once('close', () => {
        resolve();
      });
      child.kill(signal);
    });
  }

  /** False where it ended before it served. */
  private async launch(): Promise<boolean> {
    const child = spawn(process.execPath, [mainFile, 'serve'], {
      env: cleanEnvironment(this.env),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const log = createWriteStream(this.logFile, { flags: 'a' });
    this.child = child;
    process.once('exit', this.atExit);
    log.write(`--- started ${new Date().toISOString()}, pid ${child.pid ?? 0}\n`);
    child.stderr.on('data', (chunk: Buffer) => {
      log.write(chunk);
    });
    const closed = new Promise<false>((resolve) =>
      child.once('close', (code, signal) => {
        log.end(`--- ended ${new Date().toISOString()} with ${code ?? signal}\n`);
        process.removeListener('exit', this.atExit);
        this.child = null;
        const { state } = this;
        if (state !== 'starting') this.state = 'away';
        resolve(false);
        if (state !== 'serving') return;
        this.troubles.push(`${this.name} ended by itself with ${code ?? signal}`);
        this.start().catch((thrown: unknown) => {
          this.troubles.push(String(thrown));
        });
      }),
    );
    const ready = new Promise<true>((resolve) => {
      createInterface(child.stdout).on('line', (line) => {
        log.write(`${line}\n`);
        const url = readyUrl(line);
        if (url === null || this.state !== 'starting') return;
        this.url = url;
        this.state = 'serving';
        resolve(true);
      });
    });
    return Promise.race([ready, closed]);
  }
}

/** The URL in the machine-readable last line of a start; null for every other line. */
function readyUrl(line: string): string | null {
  try {
    const { event, url } = JSON.parse(line) as { event?: unknown; url?: unknown };
    return event === 'ready' && typeof url === 'string' ? url : null;
  } catch {
    return null;
  }
}
