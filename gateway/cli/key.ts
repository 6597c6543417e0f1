/** `hivekeep key create | list | revoke`. Only `create` ever prints a raw key, alone on standard output. */
import type { Config } from '../../src/config/config.js';
import type { KeyRequest } from '../../src/secrets/api-keys.js';
import { printable } from '../../src/base/json-size.js';
import { printTable, type Io } from './io.js';
import { withAdmin } from './store.js';

export async function keyCreate(config: Config, io: Io, workspace: string, request: KeyRequest): Promise<void> {
  const { key, secret } = await withAdmin(config, false, (admin) => admin.createKey(workspace, request));
  io.out(secret);
  io.note(
    `Key ${key.id} (${key.mode}, ${key.name}) of workspace ${workspace}, shown this once. Scopes: ${key.scopes.join(', ')}.${key.expires_at ? ` Expires ${key.expires_at}.` : ''}`,
  );
}

export async function keyList(config: Config, io: Io, workspace: string): Promise<void> {
  const keys = await withAdmin(config, false, (admin) => admin.listKeys(workspace));
  printTable(io, ['ID', 'MODE', 'NAME', 'KEY', 'EXPIRES', 'LAST USED', 'CREATED', 'SCOPES'], keys, (k) => [
    ...[k.id, k.mode, k.name, `${k.hint}...`],
    ...[k.expires_at ?? 'never', k.last_used_at ?? 'never', k.created_at, k.scopes.join(',')],
  ]);
}

export async function keyRevoke(config: Config, io: Io, id: string, workspace: string | undefined): Promise<void> {
  const key = await withAdmin(config, false, (admin) => admin.revokeKey(id, workspace));
  io.note(`Key ${key.id} (${printable(key.name)}) is revoked; a running server refuses it within 2 seconds.`);
}
