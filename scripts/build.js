/**
 * Builds dist/ when a source is newer than the last build that succeeded; says nothing when there is nothing to do.
 * Output whose source is gone is removed, so that a package never carries a file that no longer exists.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { join, relative } from 'node:path';
import { buildPages } from './build-pages.js';
import { copyLua } from './copy-lua.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = join(root, 'dist');
const stamp = join(dist, '.built');
const folders = ['src', 'actors', 'gateway'];
const pages = ['packages/console', 'packages/client/src'];
const inputs = ['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json'];

/** Builds when it must; false when a compiler has found errors (and printed them). */
export function build({ force = false } = {}) {
  if (!force && isFresh()) return true;
  const begun = new Date();
  // A person who has just typed npm start would look at nothing for as long as the compiler works.
  if (process.stderr.isTTY) process.stderr.write('hivekeep: Building, which takes some seconds the first time.\n');
  const compiler = fileURLToPath(new URL('bin/tsc', import.meta.resolve('typescript-7/package.json')));
  // An incremental compiler does not write again what somebody has deleted.
  if (!existsSync(stamp)) rmSync(join(dist, '.tsbuildinfo'), { force: true });
  const { status } = spawnSync(process.execPath, [compiler, '-p', join(root, 'tsconfig.build.json')], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) return false;
  for (const folder of folders) removeOrphans(join(dist, folder));
  copyLua('dist');
  try {
    buildPages();
  } catch {
    return false; // esbuild has printed why
  }
  // npm makes the program executable when it is installed, and npx in a checkout has only what was built.
  chmodSync(join(dist, 'gateway/main/main.js'), 0o755);
  // Dated from before the compiler read its first source, so that an edit made meanwhile is built next time.
  writeFileSync(stamp, `${begun.toISOString()}\n`);
  return true;
}

function isFresh() {
  const built = existsSync(stamp) ? Date.parse(readFileSync(stamp, 'utf8').trim()) : NaN;
  if (Number.isNaN(built)) return false;
  const newest = Math.max(
    ...inputs.map((name) => statSync(join(root, name), { throwIfNoEntry: false })?.mtimeMs ?? 0),
    // A folder's own time tells of files that were removed.
    ...[...folders, ...pages].flatMap((folder) => below(join(root, folder)).map((path) => statSync(path).mtimeMs)),
  );
  return newest < built;
}

/** The folder and everything in it, at any depth. */
function below(folder) {
  if (!existsSync(folder)) return [];
  return [folder, ...readdirSync(folder, { recursive: true }).map((name) => join(folder, name))];
}

function removeOrphans(folder) {
  for (const path of below(folder)) {
    const source = join(root, relative(dist, path)).replace(/\.(d\.ts|js)$/, '.ts');
    if (/\.(d\.ts|js|lua)$/.test(path) && !existsSync(source)) rmSync(path);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url) && !build({ force: process.argv.includes('--force') }))
  process.exitCode = 1;
