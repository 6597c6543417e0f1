/**
 * Lua scripts. Each is a file of its own beside the code that runs it, with a header that documents its keys, arguments
 * and result. It is called by its hash; a server that does not know the hash (after a restart or SCRIPT FLUSH) is sent
 * the text. All keys of one script share one {tag}, so that it also runs in a Redis Cluster.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { RedisClient } from './connect.js';

/** Rejects as any command does (connect.ts). */
export type RedisScript = (
  client: RedisClient,
  keys: readonly string[],
  args: readonly (string | number | Buffer)[],
) => Promise<unknown>;

/**
 * Takes `new URL('./take.lua', import.meta.url)`, or several that are one script together. Reads the files
 * synchronously, and throws if one does not exist.
 */
export function loadScript(...files: URL[]): RedisScript {
  const lua = files.map((file) => readFileSync(file, 'utf8')).join('\n');
  const sha = createHash('sha1').update(lua).digest('hex');
  return async (client, keys, args) => {
    try {
      return await client.evalsha(sha, keys.length, ...keys, ...args);
    } catch (error) {
      if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
      return client.eval(lua, keys.length, ...keys, ...args);
    }
  };
}
