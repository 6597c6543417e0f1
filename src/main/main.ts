#!/usr/bin/env node
/**
 * The entry point of the command line. It checks the Node version before importing anything that an old Node cannot
 * parse.
 */
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`hivekeep: It needs Node 20.19 or newer; this is Node ${process.versions.node}.\n`);
  process.exitCode = 1;
} else {
  const [{ runCli }, { processIo }] = await Promise.all([import('../cli/program.js'), import('../cli/io.js')]);
  process.exit(
    await runCli(process.argv.slice(2), process.env, processIo(), async (config, io) =>
      (await import('./serve.js')).serve(config, io),
    ),
  );
}

export {};
