/** Servers of the benchmarks as child processes, so that the load has the other core. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export const key = `svc_live_${'benchRootKey'.repeat(4)}`;

export interface BenchServer {
  port: number;
  dir: string;
  /** Resident memory now, MB. */
  rss(): number;
  /** Resident memory now without the pages of mapped files, MB. */
  anon(): number;
  /** Pages of mapped files that are resident now, MB: the code, and what the kernel keeps of the store. */
  mapped(): number;
  /** CPU time that all of its threads have taken so far, ms. */
  cpu(): number;
  kill(signal: NodeJS.Signals): Promise<void>;
  /** Ends it and removes its data. */
  stop(): Promise<void>;
}

/** The command line as it is shipped. */
export const mainFile = fileURLToPath(new URL('../../dist/gateway/main/main.js', import.meta.url));

function handle(child: ChildProcess, port: number, dir: string): BenchServer {
  const kill = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'close');
    child.kill(signal);
    await gone;
  };
  const status = (field: string): number =>
    Number(new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024;
  return {
    port,
    dir,
    kill,
    rss: () => status('VmRSS'),
    anon: () => status('RssAnon'),
    mapped: () => status('RssFile'),
    cpu() {
      const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
      return (Number(fields[11]) + Number(fields[12])) * 10;
    },
    async stop() {
      await kill('SIGTERM');
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

async function firstLine(child: ChildProcess, wanted: (line: string) => number | null): Promise<number> {
  let stderr = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  if (!child.stdout) throw new Error('no output');
  for await (const line of createInterface(child.stdout)) {
    const port = wanted(line);
    if (port !== null) return port;
  }
  throw new Error(`the server ended instead of starting:\n${stderr}`);
}

export async function startEcho(kind: 'durable' | 'express'): Promise<BenchServer> {
  const dir = mkdtempSync(join(tmpdir(), 'hivekeep-echo-'));
  const child = spawn(
    process.execPath,
    [fileURLToPath(new URL('./durable-echo.js', import.meta.url)), join(dir, 'log'), kind],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  return handle(child, await firstLine(child, (line) => Number(line) || null), dir);
}

/** An A2A server of the official SDK, tasks in memory. */
export async function startPeer(generation: '0.2' | '0.3' | '1'): Promise<BenchServer> {
  const dir = mkdtempSync(join(tmpdir(), 'hivekeep-peer-'));
  const child = spawn(process.execPath, [fileURLToPath(new URL('./a2a-peer.js', import.meta.url)), generation], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return handle(child, await firstLine(child, (line) => Number(line) || null), dir);
}

/** hivekeep as it is shipped, on `dir` or on fresh data. */
export async function startHivekeep(
  dir = mkdtempSync(join(tmpdir(), 'hivekeep-bench-')),
  env: Record<string, string> = {},
  nodeOptions: readonly string[] = [],
): Promise<BenchServer> {
  const child = spawn(process.execPath, [...nodeOptions, mainFile, 'serve'], {
    env: {
      PATH: process.env['PATH'],
      HIVEKEEP_PORT: '0',
      HIVEKEEP_DATA_DIR: dir,
      HIVEKEEP_ROOT_KEY: key,
      HIVEKEEP_LOG_FORMAT: 'json',
      HIVEKEEP_LOG_LEVEL: 'warn',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const port = await firstLine(child, (line) => {
    try {
      const said = JSON.parse(line) as { event?: string; url?: string };
      return said.event === 'ready' && said.url ? Number(new URL(said.url).port) : null;
    } catch {
      return null;
    }
  });
  return handle(child, port, dir);
}

/** A request whose answer is wanted. */
export async function api<T>(
  server: BenchServer,
  method: string,
  path: string,
  body?: unknown,
  credential = key,
): Promise<T> {
  const response = await fetch(`http://127.0.0.1:${server.port}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${credential}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}
