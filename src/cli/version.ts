/** The version of this package, from the package.json above this file, in sources and in the build. */
import { existsSync, readFileSync } from 'node:fs';

export function packageVersion(): string {
  for (const up of ['../../package.json', '../../../package.json']) {
    const file = new URL(up, import.meta.url);
    if (existsSync(file)) return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
  }
  return 'unknown';
}
