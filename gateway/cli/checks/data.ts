/**
 * Checks the data folder: it exists, is writable and has free space, its schema is supported, and its disk syncs
 * quickly.
 */
import { existsSync, fsyncSync, openSync, closeSync, readdirSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Config } from '../../../src/config/config.js';
import { isSandbox } from '../../../src/domain/workspace/workspace.js';
import { sentences, systemCode } from '../failure.js';
import { mostProblems } from '../../../src/store/lmdb/page-check.js';
import { verifyData } from '../../../src/store/lmdb/verify.js';
import { openStore } from '../store.js';
import { findingsAbout, type Finding } from './finding.js';

const { ok, warn, fail } = findingsAbout('data');
const MiB = 1024 * 1024;
const leastFree = 64 * MiB;
const littleFree = 1024 * MiB;
const syncs = 20;
const slowSyncMs = 20;

export async function checkDataFolder(config: Config, deep: boolean): Promise<Finding[]> {
  const folder = resolve(config.dataDir);
  if (!existsSync(folder)) {
    const parent = existing(folder);
    const probe = syncProbe(parent);
    return typeof probe === 'string'
      ? [fail(`${config.dataDir} does not exist and cannot be made: ${probe}`)]
      : [warn(`${config.dataDir} does not exist yet; the first start makes it.`), space(parent), latency(probe)];
  }
  const probe = syncProbe(folder);
  if (typeof probe === 'string') return [fail(`${config.dataDir} cannot be written: ${probe}`)];
  const usable = [ok(`${config.dataDir} can be written`), space(folder), latency(probe)];
  const all = deep ? pages(config) : [];
  // a damaged store is not opened
  if (all.some(({ level }) => level === 'fail')) return [...usable, ...all];
  return [...usable, await schema(config), ...all];
}

/** Every page and every value, also beside a running server. */
function pages({ dataDir }: Config): Finding[] {
  const start = performance.now();
  const result = verifyData(resolve(dataDir));
  if (result === null) return [];
  const { problems, pages: read, entries } = result;
  if (problems.length > 0) {
    const shown = problems.map((text) => fail(`${text}.`));
    const advice = 'restore the folder from a backup; deep checks of copies show which one is whole.';
    return [...shown, fail(`damaged in ${howMany(problems.length)}: ${advice}`)];
  }
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  const text = `all ${read.toLocaleString('en-US')} pages in use and their ${entries.toLocaleString('en-US')} entries can be read (${seconds} s)`;
  return [ok(text)];
}

const howMany = (places: number): string =>
  places >= mostProblems ? `${places} places or more` : places === 1 ? 'one place' : `${places} places`;

function existing(folder: string): string {
  return existsSync(folder) ? folder : existing(dirname(folder));
}

function space(folder: string): Finding {
  const { bavail, bsize } = statfsSync(folder);
  const free = bavail * bsize;
  const text = `${Math.floor(free / MiB).toLocaleString('en-US')} MiB are free on its disk`;
  if (free < leastFree) return fail(`${text}: free some, or commits will be refused.`);
  return free < littleFree ? warn(text) : ok(text);
}

/**
 * The duration in ms of several synced writes like those of a commit, or the reason why the folder cannot be written.
 */
function syncProbe(folder: string): number[] | string {
  const file = join(folder, `.doctor-${process.pid}`);
  try {
    const fd = openSync(file, 'w', 0o600);
    try {
      return Array.from({ length: syncs }, () => {
        const start = performance.now();
        writeSync(fd, Buffer.alloc(4096), 0, 4096, 0);
        fsyncSync(fd);
        return performance.now() - start;
      });
    } finally {
      closeSync(fd);
      rmSync(file, { force: true });
    }
  } catch (error) {
    const code = systemCode(error);
    if (code === 'EACCES' || code === 'EPERM')
      return 'no permission; give it to the user that runs hivekeep, or set HIVEKEEP_DATA_DIR.';
    if (code === 'ENOSPC') return 'the disk is full; free some space.';
    if (code === 'ENOTDIR') return 'it is no folder; set HIVEKEEP_DATA_DIR to one.';
    return `${code ?? 'unknown error'}; set HIVEKEEP_DATA_DIR to a folder that can be written.`;
  }
}

function latency(times: number[]): Finding {
  const median = [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
  const text = `a synced write takes ${median.toFixed(2)} ms (median of ${times.length})`;
  return median > slowSyncMs
    ? warn(`${text}: every command waits for one; a local disk is faster than a network one.`)
    : ok(text);
}

/**
 * Opens the store in shared mode, so that a running server is not disturbed. Data that is not hivekeep's is refused and
 * left unchanged.
 */
async function schema(config: Config): Promise<Finding> {
  if (readdirSync(config.dataDir).every((name) => name === 'lost+found'))
    return ok('it is empty; the first start begins it');
  try {
    const store = await openStore(config, true);
    let workspaces = 0;
    for await (const heads of store.workspaces()) workspaces += heads.filter((h) => !isSandbox(h.entity.id)).length;
    await store.close();
    const counted = `${workspaces} ${workspaces === 1 ? 'workspace' : 'workspaces'}`;
    return ok(`the store opens and its schema is this version's (${counted})`);
  } catch (error) {
    return fail(sentences(error).join(' '));
  }
}
