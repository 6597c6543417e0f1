/**
 * What `serve` prints on standard output when it serves. The last line is the one that says so: JSON with `event`
 * "ready" in the format json, a sentence otherwise (design, section 9).
 */
import type { Config } from '../config.js';
import type { Io } from '../cli/io.js';
import { packageVersion } from '../cli/version.js';

/** `firstKey` is the raw key that this start has made, or null. */
export function printStarted(config: Config, io: Io, url: string, firstKey: string | null): void {
  for (const line of config.logFormat === 'json' ? jsonLines(config, url, firstKey) : sentences(config, url, firstKey))
    io.out(line);
}

function jsonLines(config: Config, url: string, firstKey: string | null): string[] {
  const line = (fields: object): string => JSON.stringify({ level: 'info', time: new Date().toISOString(), ...fields });
  const place = config.mongodbUrl === null ? { data_dir: config.dataDir } : { store: 'mongodb' };
  const ready = line({
    event: 'ready',
    url,
    role: config.role,
    version: packageVersion(),
    ...place,
    pid: process.pid,
    msg: `hivekeep ${doing(config)} ${url}`,
  });
  return firstKey === null
    ? [ready]
    : [
        line({ event: 'first_key', workspace: 'default', key: firstKey, msg: 'the first API key, shown this once' }),
        ready,
      ];
}

function sentences(config: Config, url: string, firstKey: string | null): string[] {
  const base = config.role === 'worker' ? url : (config.publicUrl ?? url);
  const lines =
    firstKey === null ? [] : ['The first API key, of workspace default, shown this once:', '', `  ${firstKey}`, ''];
  const next = config.role === 'worker' ? [] : ['Try:', '', `  ${nextCommand(config, base, firstKey)}`, ''];
  const data = config.mongodbUrl === null ? config.dataDir : 'MongoDB';
  return [
    ...lines,
    ...next,
    `hivekeep ${packageVersion()} ${doing(config)} ${base} with its data in ${data} (process ${process.pid}); Ctrl+C stops it.`,
  ];
}

const doings = {
  all: 'serves on',
  gateway: 'serves as a gateway on',
  worker: 'works for the cluster, with its probes on',
} as const satisfies Record<Config['role'], string>;
const doing = ({ role }: Config): string => doings[role];

/** A command that works as it is: with the key that was just made, else with the one in the environment, else one that makes a key. */
function nextCommand(config: Config, base: string, firstKey: string | null): string {
  const key = firstKey ?? (config.rootKey === null ? null : '$HIVEKEEP_ROOT_KEY');
  if (key === null) return 'npx hivekeep key create --workspace default --mode live --name me';
  return `curl -s ${base}/v1/agents/spawn -H "Authorization: Bearer ${key}" -H 'Content-Type: application/json' -d '{"name": "Ada"}'`;
}
