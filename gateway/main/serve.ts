/**
 * `hivekeep serve`: opens the store and the other servers, reports where it listens, and shuts down.
 *
 *  - Nothing is printed as started before commands are served.
 *  - Whatever prevents the start becomes a sentence and exit code 1; everything opened before is closed again.
 *  - The first SIGTERM or SIGINT drains, within HIVEKEEP_SHUTDOWN_SECONDS and a margin; the second ends the process at
 *    once, unless it comes together with the first: under npm, Ctrl+C arrives from the terminal and from npm.
 *  - An uncaught error is logged and ends the process with exit code 1: its state can no longer be trusted, and
 *    everything acknowledged is in the store.
 */
import { setFlagsFromString } from 'node:v8';
import { type Admin, createAdmin } from '../admin/admin.js';
import { configWarnings, type Config } from '../../src/config/config.js';
import type { Store } from '../../src/store/port.js';
import { createLog, type Logger } from '../../src/telemetry/pino-log.js';
import { startTracing, wantsTraces } from '../../src/telemetry/start-tracing.js';
import { traceFields } from '../../src/telemetry/tracing.js';
import { createMetrics } from '../../src/telemetry/metrics.js';
import { Failure, systemCode } from '../cli/failure.js';
import { openCardSigner } from '../cli/card-keys.js';
import type { Io } from '../cli/io.js';
import { exposedSecrets } from '../cli/secret-file.js';
import { canKeepFirstKey, type FirstKey, keepFirstKey } from './first-key.js';
import { openKeyring } from './secret-key.js';
import { isPrivate } from '../cli/sign-in.js';
import { signInCodes, type SignInCodes } from '../cli/sign-in-code.js';
import { redeemSignInLink } from './sign-in-link.js';
import { printStarted } from './start-lines.js';
import { startServer, type RunningServer } from './start-server.js';
import type { BackendOptions, Backend } from './backend.js';
import { embeddedBackend } from './embedded-backend.js';
import { openStore } from '../cli/store.js';
import { createSystem, packageVersion } from '../../src/base/system.js';
import { readTlsFiles } from '../cli/tls-files.js';

/** How far the drain may exceed its time before it is cut off. */
const drainMarginMs = 5000;
/** Signals closer together than this count as one. */
const sameSignalMs = 300;

/**
 * How far the heap may grow before the next full collection, in percent of what the last one left. V8 by itself lets a
 * small heap grow further, and what a process at rest then keeps is mostly garbage (docs/benchmarks.md).
 */
const heapGrowth = 100;

/** Serves until a signal; resolves to the exit code. Throws the error that prevents the start. */
export async function serve(config: Config, io: Io): Promise<number> {
  setFlagsFromString(`--heap-growing-percent=${heapGrowth}`);
  const log = createLog({
    level: config.logLevel,
    format: config.logFormat,
    colour: io.terminal,
    ...(wantsTraces(process.env) && { fields: () => traceFields() }),
  });
  dieOnUncaught(log);
  for (const warning of configWarnings(config)) log.warn({ event: 'config.warning' }, warning);
  const tls = readTlsFiles(config);
  const { store, backendFor } = await foundation(config, log);
  const endTracing = await startTracing(process.env, { version: packageVersion(), log });
  try {
    const system = createSystem();
    const admin = createAdmin({ store, ...system });
    await admin.ensureDefaultWorkspace();
    if (config.rootKey !== null) await admin.ensureRootKey(config.rootKey);
    const keyring = await openKeyring(config, admin, log);
    const cardSigner = await openCardSigner(config);
    for (const text of exposedSecrets(config)) log.warn({ event: 'secret_file.exposed' }, text);
    const metrics = createMetrics({ version: packageVersion() });
    const codes = signInCodes(config.dataDir, system.clock, system.randomBytes);
    const stopped = stopSignal(log);
    let firstKeyMade: FirstKey | null = null;
    const server = await listen(config, () =>
      startServer({
        config,
        tls,
        store,
        keyring,
        cardSigner,
        log,
        metrics,
        backendFor,
        redeemCode: redeemSignInLink({ admin, codes, ...system }),
        // created only then, so that a failed start cannot create a key without showing it
        async whenListening() {
          firstKeyMade = await firstKey(config, io, admin, log);
        },
        ...system,
      }),
    );
    printStarted(config, io, server.url, firstKeyMade, mayShowLink(config, io) ? issued(codes, log) : null);
    log.info({ event: 'server.stopping', signal: await stopped }, 'stopping');
    return await drain(server, config, log);
  } finally {
    await endTracing();
    await close(store, log);
  }
}

/**
 * A sign-in link is for whoever sits at the terminal: other output is kept in logs. It needs a connection that nobody
 * can read, which is TLS or a loopback address.
 */
const mayShowLink = (config: Config, io: Io): boolean =>
  io.screen && config.logFormat !== 'json' && config.role !== 'worker' && isPrivate(config);

/** A start goes on without a link where the data folder cannot be written. */
function issued(codes: SignInCodes, log: Logger): string | null {
  try {
    return codes.issue();
  } catch (err) {
    log.warn({ event: 'sign_in_link.not_made', err }, 'no sign-in link: the data folder cannot be written');
    return null;
  }
}

/** Returns null if keys exist already, or if a new one could not be delivered to anybody. */
async function firstKey(config: Config, io: Io, admin: Admin, log: Logger): Promise<FirstKey | null> {
  if (config.rootKey !== null || !canKeepFirstKey(config, io)) return null;
  const { secret } = await admin.ensureRootKey(null);
  return secret === null ? null : keepFirstKey(config, io, secret, log);
}

/** Opens what the server is built on: the embedded store, or MongoDB and Redis, whose clients are loaded only then. */
async function foundation(
  config: Config,
  log: Logger,
): Promise<{ store: Store; backendFor: (options: BackendOptions) => Backend }> {
  const { mongodbUrl, redisUrl } = config;
  if (mongodbUrl === null || redisUrl === null)
    return { store: await openStore(config, false, log), backendFor: embeddedBackend };
  const [{ openMongoStore }, { clusteredBackend, requireClock, requireRedis }, { patientStart }] = await Promise.all([
    import('../../src/store/mongo/open.js'),
    import('./clustered-backend.js'),
    import('./patient-start.js'),
  ]);
  const patiently = patientStart(config.startSeconds * 1000, { clock: createSystem().clock, log });
  const redisAt = await patiently(() => requireRedis(redisUrl));
  const store = await patiently(() => openMongoStore({ url: mongodbUrl, shards: config.shards, log }));
  try {
    await requireClock(store, log, () => Date.now());
  } catch (error) {
    await close(store, log);
    throw error;
  }
  return { store, backendFor: clusteredBackend(redisAt, store) };
}

async function listen(config: Config, start: () => Promise<RunningServer>): Promise<RunningServer> {
  try {
    return await start();
  } catch (cause) {
    const where = `${config.host} port ${config.port}`;
    switch (systemCode(cause)) {
      case 'EADDRINUSE':
        throw new Failure(
          `Something listens on ${where} already: stop it, or set HIVEKEEP_PORT to another port (0 takes a free one)`,
          { cause },
        );
      case 'EACCES':
        throw new Failure(
          `Not allowed to listen on ${where}: set HIVEKEEP_PORT to 1024 or above, or give the process the right to low ports`,
          { cause },
        );
      case 'EADDRNOTAVAIL':
      case 'ENOTFOUND':
      case 'EAI_AGAIN':
        throw new Failure(`${config.host} is no address of this machine: set HIVEKEEP_HOST to one that it has`, {
          cause,
        });
      default:
        throw cause;
    }
  }
}

/** Resolves with the first signal; the second ends the process. */
function stopSignal(log: Logger): Promise<string> {
  return new Promise((resolve) => {
    let asked = -Infinity;
    for (const [signal, number] of [
      ['SIGTERM', 15],
      ['SIGINT', 2],
    ] as const) {
      process.on(signal, () => {
        const since = performance.now() - asked;
        if (since < sameSignalMs) return;
        if (since < Infinity) {
          log.warn({ event: 'server.killed', signal }, 'stopping at once');
          process.exit(128 + number);
        }
        asked = performance.now();
        resolve(signal);
      });
    }
  });
}

async function drain(server: RunningServer, config: Config, log: Logger): Promise<number> {
  let timer: NodeJS.Timeout | undefined;
  const cutOff = new Promise<'late'>((resolve) => {
    timer = setTimeout(
      () => {
        resolve('late');
      },
      config.shutdownSeconds * 1000 + drainMarginMs,
    );
  });
  try {
    const outcome = await Promise.race([server.stop().then(() => 'stopped' as const), cutOff]);
    if (outcome === 'late')
      log.error(
        { event: 'server.stop_timeout', seconds: config.shutdownSeconds },
        'the shutdown took too long and was cut off; unfinished work resumes at the next start',
      );
    else log.info({ event: 'server.stopped' }, 'stopped');
    return outcome === 'stopped' ? 0 : 1;
  } catch (err) {
    log.error({ event: 'server.stop_failed', err }, 'the shutdown failed; unfinished work resumes at the next start');
    return 1;
  } finally {
    clearTimeout(timer);
  }
}

async function close(store: Store, log: Logger): Promise<void> {
  try {
    await store.close();
  } catch (err) {
    log.error(
      { event: 'store.close_failed', err },
      'the store could not be closed cleanly; everything acknowledged is kept',
    );
  }
}

function dieOnUncaught(log: Logger): void {
  const die =
    (what: string) =>
    (err: unknown): void => {
      log.fatal({ event: 'process.uncaught_error', err }, what);
      process.exit(1);
    };
  process.on('uncaughtException', die('uncaught exception'));
  process.on('unhandledRejection', die('unhandled rejection'));
}
