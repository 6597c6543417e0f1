/**
 * A server of the machine (Redis, MongoDB) that a test starts for itself, kills and starts again, on a port of its own.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface ServerCommand {
  name: string;
  args: (port: number, folder: string) => string[];
  /** Resolves when it answers. */
  answers: (port: number) => Promise<unknown>;
}

export class OwnServer {
  readonly #folder = mkdtempSync(join(tmpdir(), 'hivekeep-server-'));
  readonly #atExit = (): void => {
    this.#child?.kill('SIGKILL');
    this.clean();
  };
  #child: ChildProcess | null = null;

  constructor(
    readonly port: number,
    private readonly command: ServerCommand,
  ) {
    process.once('exit', this.#atExit);
  }

  /** On the data that it has left. Rejects with ENOENT where the program is not installed. */
  async start(): Promise<void> {
    const child = spawn(this.command.name, this.command.args(this.port, this.#folder), {
      stdio: 'ignore',
      cwd: this.#folder,
    });
    await new Promise((resolve, reject) => {
      child.once('spawn', resolve).once('error', reject);
    });
    this.#child = child;
    await this.command.answers(this.port);
  }

  pause(): void {
    this.#child?.kill('SIGSTOP');
  }
  resume(): void {
    this.#child?.kill('SIGCONT');
  }

  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = null;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => {
      child.once('exit', resolve);
    });
    child.kill('SIGKILL');
    await gone;
  }

  async stop(): Promise<void> {
    await this.kill();
    process.removeListener('exit', this.#atExit);
    this.clean();
  }

  /** Removes its data. */
  clean(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
