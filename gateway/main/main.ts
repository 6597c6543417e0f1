#!/usr/bin/env node
/**
 * The entry point of the command line. It checks the Node version before importing anything that an old Node cannot
 * parse. A Node that can keep what it has compiled (22.8 or newer) does so, for the next start.
 */
import module from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`hivekeep: It needs Node 20.19 or newer; this is Node ${process.versions.node}.\n`);
  process.exitCode = 1;
} else {
  keepCompiled();
  const [{ runCli }, { processIo }] = await Promise.all([import('../cli/program.js'), import('../cli/io.js')]);
  process.exit(
    await runCli(process.argv.slice(2), process.env, processIo(), async (config, io) =>
      (await import('./serve.js')).serve(config, io),
    ),
  );
}

/**
 * Node's own folder for it is below the folder for temporary files, where another user of the machine could put code
 * before us. A user without a folder of their own, or one that cannot be written, is no reason not to start.
 */
function keepCompiled(): void {
  const { enableCompileCache } = module as { enableCompileCache?: (folder: string) => unknown };
  try {
    enableCompileCache?.(join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'hivekeep'));
  } catch {
    // homedir() throws for a user who has none
  }
}
