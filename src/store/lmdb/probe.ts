/**
 * Run as a separate process on a file that looks truncated: reads every entry, so that a missing page crashes this
 * process instead of the server. Exit code 0 means that everything is readable.
 */
import { open } from 'lmdb';

const dir = process.argv[2];
if (dir === undefined) process.exit(2);
const root = open<Buffer, Buffer>({
  path: dir,
  noSubdir: false,
  readOnly: true,
  overlappingSync: false,
  maxDbs: 8,
  keyEncoding: 'binary',
  encoding: 'binary',
});
let bytes = 0;
for (const name of ['heads', 'docs', 'lists', 'system']) {
  const tree = root.openDB<Buffer, Buffer>({
    name,
    keyEncoding: 'binary',
    encoding: 'binary',
    useVersions: name === 'heads',
  });
  for (const { value } of tree.getRange({ start: Buffer.from([0]) })) bytes += value.length;
}
process.exit(bytes >= 0 ? 0 : 1);
