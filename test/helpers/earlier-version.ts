/**
 * An earlier version of the service, made from the history of this repository: its sources, translated without a look
 * at their types, with the libraries of this version.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { projectRoot } from './server-process.js';

export interface EarlierVersion {
  /** What `node` runs. */
  main: string;
  remove(): void;
}

/** Null where the history has no such commit: in a shallow clone, or in none. */
export function earlierVersion(commit: string): EarlierVersion | null {
  const folders = ['src', 'actors', 'gateway', 'package.json'];
  const archive = spawnSync('git', ['archive', commit, ...folders], {
    cwd: projectRoot,
    maxBuffer: 256 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  if (archive.status !== 0) return null;
  const dir = mkdtempSync(join(tmpdir(), 'hivekeep-earlier-'));
  // Lua scripts stand beside the code that reads them, so the translation is written beside its sources, too.
  execFileSync('tar', ['x', '-C', dir], { input: archive.stdout });
  symlinkSync(join(projectRoot, 'node_modules'), join(dir, 'node_modules'));
  const sources = readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter(
    (path) => /^(src|actors|gateway)\/.*\.ts$/.test(path) && !path.startsWith('gateway/console/'),
  );
  buildSync({
    entryPoints: sources.map((path) => join(dir, path)),
    outdir: dir,
    outbase: dir,
    format: 'esm',
    logLevel: 'error',
  });
  return {
    main: join(dir, 'src/main/main.js'),
    remove() {
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
