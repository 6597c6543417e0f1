/** Data that earlier versions wrote, unpacked from test/fixtures. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { projectRoot } from './server-process.js';

export const oldKey = 'svc_live_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG';
export const oldToken = 'at_v1myf6KV7Mbf0sO7PKI6euB2jfxpm5ZpKnDEcvUU';

/** The data folder of version 0.1 (test/fixtures/data-0.1/README.md), as `dir`. */
export function unpackOldData(dir: string): void {
  mkdirSync(dir, { mode: 0o700 });
  const file = join(projectRoot, 'test/fixtures/data-0.1/data.mdb.gz');
  writeFileSync(join(dir, 'data.mdb'), gunzipSync(readFileSync(file)));
  writeFileSync(join(dir, 'hivekeep.json'), '{"what":"the data of a hivekeep service","state":"ready"}\n');
}
