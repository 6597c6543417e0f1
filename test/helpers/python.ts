/**
 * Packages of Python in virtual environments of their own, one for each release, kept in node_modules/.cache between
 * runs.
 */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const cache = fileURLToPath(new URL('../../node_modules/.cache/python/', import.meta.url));

/**
 * The path of a Python that has this release of the package, and those beside it (`name==release`), or the reason why
 * there is none.
 */
export async function pythonWith(
  name: string,
  release: string,
  ...beside: string[]
): Promise<{ python: string } | { missing: string }> {
  const venv = join(cache, [`${name}-${release}`, ...beside].join('+'));
  const python = join(venv, 'bin', 'python');
  if (existsSync(python)) return { python };
  try {
    await run('python3', ['--version']);
  } catch {
    return { missing: 'there is no python3' };
  }
  mkdirSync(cache, { recursive: true });
  const making = `${venv}.${process.pid}`;
  try {
    await install(making, `${name}==${release}`, ...beside);
    renameSync(making, venv);
  } catch (error) {
    rmSync(making, { recursive: true, force: true });
    if (!existsSync(python)) return { missing: `${name} ${release} cannot be installed: ${(error as Error).message}` };
  }
  return { python };
}

/**
 * Makes a virtual environment with these packages, by one pip for all of them: a pip for each takes longer to make than
 * most packages, and so does compiling all that nobody imports.
 */
export async function install(venv: string, ...packages: string[]): Promise<void> {
  mkdirSync(cache, { recursive: true });
  const pip = join(cache, 'pip');
  if (!existsSync(pip)) {
    const making = `${pip}.${process.pid}`;
    await run('python3', ['-m', 'venv', making]);
    // another process may have been as fast
    if (existsSync(pip)) rmSync(making, { recursive: true });
    else renameSync(making, pip);
  }
  await run('python3', ['-m', 'venv', '--without-pip', venv]);
  const into = ['-m', 'pip', '--python', join(venv, 'bin', 'python'), 'install'];
  await run(join(pip, 'bin', 'python'), [
    ...into,
    ...['--quiet', '--disable-pip-version-check', '--no-compile'],
    ...packages,
  ]);
}
