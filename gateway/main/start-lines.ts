/**
 * The lines that `serve` prints on standard output once it serves. The last line reports readiness: JSON with `event`
 * "ready" in the format json, a sentence otherwise.
 */
import { resolve } from 'node:path';
import type { Config } from '../../src/config/config.js';
import type { Io } from '../cli/io.js';
import { packageVersion } from '../../src/base/system.js';
import type { FirstKey } from './first-key.js';
import { codeSeconds, signedInHours } from '../cli/sign-in-code.js';
import { signInUrl } from '../cli/sign-in.js';

/**
 * `firstKey` is the key that this start has created, or null; `code` that of a sign-in link (sign-in-link.ts), or null
 * where none may be shown. It never appears in JSON lines, which are made to be kept.
 */
export function printStarted(
  config: Config,
  io: Io,
  url: string,
  firstKey: FirstKey | null,
  code: string | null = null,
): void {
  const lines = config.logFormat === 'json' ? jsonLines(config, url, firstKey) : sentences(config, url, firstKey, code);
  for (const line of lines) io.out(line);
}

function jsonLines(config: Config, url: string, firstKey: FirstKey | null): string[] {
  const line = (fields: object): string => JSON.stringify({ level: 'info', time: new Date().toISOString(), ...fields });
  const place = config.mongodbUrl === null ? { data_dir: resolve(config.dataDir) } : { store: 'mongodb' };
  const ready = line({
    event: 'ready',
    url,
    ...(config.role !== 'worker' && {
      console: `${config.publicUrl ?? url}/console`,
      docs: `${config.publicUrl ?? url}/docs`,
    }),
    role: config.role,
    version: packageVersion(),
    ...place,
    pid: process.pid,
    msg: `hivekeep ${doing(config)} ${url}`,
  });
  if (firstKey === null) return [ready];
  const { shown, file } = firstKey;
  return [
    line({
      event: 'first_key',
      workspace: 'default',
      ...(shown !== null && { key: shown }),
      ...(file !== null && { file }),
      msg: whereKey(firstKey),
    }),
    ready,
  ];
}

/** The line that tells where to find the first API key of the workspace `default`. */
function whereKey({ shown, file }: FirstKey): string {
  if (shown !== null) return 'The first API key, of workspace default, shown this once';
  return file === null
    ? `The first API key was made but is not shown here: ${makeKey}`
    : `The first API key, of workspace default, is in ${file}, which only its owner can read`;
}

function sentences(config: Config, url: string, firstKey: FirstKey | null, code: string | null): string[] {
  const base = config.role === 'worker' ? url : (config.publicUrl ?? url);
  const next =
    config.role === 'worker'
      ? []
      : [...tryLines(config, base, firstKey), ...consoleLines(base, code), `The API is described on ${base}/docs`, ''];
  const data = config.mongodbUrl === null ? resolve(config.dataDir) : 'MongoDB';
  return [
    ...keyLines(firstKey),
    ...next,
    `hivekeep ${packageVersion()} ${doing(config)} ${base} with its data in ${data} (process ${process.pid}); Ctrl+C stops it.`,
  ];
}

function keyLines(firstKey: FirstKey | null): string[] {
  if (firstKey === null) return [];
  const { shown, file } = firstKey;
  if (shown === null) return [`${whereKey(firstKey)}.`, ''];
  return [`${whereKey(firstKey)}${file === null ? '' : ` and kept in ${file}`}:`, '', `  ${shown}`, ''];
}

const doings = {
  all: 'serves on',
  gateway: 'serves as a gateway on',
  worker: 'works for the cluster, with its probes on',
} as const satisfies Record<Config['role'], string>;
const doing = ({ role }: Config): string => doings[role];

const makeKey = 'npx --no-install hivekeep key create --workspace default --mode live --name me';

const consoleLines = (base: string, code: string | null): string[] =>
  code === null
    ? [`The console is on ${base}/console`]
    : [
        `Open the console; this link signs you in for ${signedInHours} hours, works once, and only in the next ${codeSeconds} seconds:`,
        '',
        `  ${signInUrl(base, code)}`,
        '',
      ];

/**
 * Commands to try, which work as printed with the new key or the one in the environment. After a restart no key is
 * known, and nothing is printed.
 */
function tryLines(config: Config, base: string, firstKey: FirstKey | null): string[] {
  const key = keyInShell(config, firstKey);
  if (key === null) return [];
  return [
    'Try:',
    '',
    `  curl -s ${base}/v1/agents/spawn -H "Authorization: Bearer ${key}" -H 'Content-Type: application/json' -d '{"name": "Ada"}'`,
    '',
  ];
}

function keyInShell(config: Config, firstKey: FirstKey | null): string | null {
  if (firstKey?.shown) return firstKey.shown;
  if (firstKey?.file) return `$(cat ${firstKey.file})`;
  return config.rootKey === null ? null : '$HIVEKEEP_ROOT_KEY';
}
