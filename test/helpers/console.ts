/**
 * The console in a real browser: a server in this process with data of its own, and one chromium of the machine. Every
 * page records what its content security policy refused and what it logged as an error.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { createAdmin } from '../../gateway/admin/admin.js';
import { openStore } from '../../gateway/cli/store.js';
import { createSystem } from '../../src/base/system.js';
import { loadConfig } from '../../src/config/config.js';
import type { Tier } from '../../src/domain/shared/vocabulary.js';
import { createKeyring } from '../../src/secrets/keyring.js';
import { signInCodes, type SignInCodes } from '../../gateway/cli/sign-in-code.js';
import { redeemSignInLink } from '../../gateway/main/sign-in-link.js';
import { startServer } from '../../gateway/main/start-server.js';
import { createLog } from '../../src/telemetry/pino-log.js';
import { createMetrics } from '../../src/telemetry/metrics.js';
import { startReceiver, type Receiver } from '../e2e/a2a/support/receiver.js';
import { patient } from './patience.js';
import { buildWhenNeeded, projectRoot, rootKey } from './server-process.js';
import { usedWorkspace } from './stored.js';

export interface ConsoleServer {
  url: string;
  key: string;
  link: Pick<SignInCodes, 'issue'>;
  /** A request of the API with the root key, or another; resolves to the whole body. */
  api<T = { data: Record<string, unknown> & { id: string } }>(
    method: string,
    path: string,
    body?: unknown,
    key?: string,
  ): Promise<T>;
  /** Another workspace, of this tier, in which so many memories of this month count; resolves to a key of it. */
  workspace(name: string, tier: Tier, used?: number): Promise<string>;
  stop(): Promise<void>;
}

/** Null where no browser is installed: tests are skipped then, and `.ci/run` installs one. */
export const browserPath = (): string | null =>
  ['chromium', 'chromium-browser', 'google-chrome']
    .map((name) => spawnSync('which', [name], { encoding: 'utf8' }).stdout.trim())
    .find((path) => path !== '') ?? null;

export const openBrowser = (executablePath: string): Promise<Browser> =>
  // In a container as root, chromium has no sandbox; it sees the pages of the test only.
  chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });

export async function startConsoleServer(env: Record<string, string> = {}): Promise<ConsoleServer> {
  buildWhenNeeded();
  const dir = mkdtempSync(join(tmpdir(), 'hivekeep-console-'));
  const config = loadConfig(
    {
      HIVEKEEP_PORT: '0',
      HIVEKEEP_DATA_DIR: dir,
      HIVEKEEP_ROOT_KEY: rootKey,
      HIVEKEEP_LOG_LEVEL: 'error',
      HIVEKEEP_SHUTDOWN_SECONDS: '1',
      ...env,
    },
    false,
  );
  const store = await openStore(config, false);
  const system = createSystem();
  const admin = createAdmin({ store, ...system });
  await admin.ensureDefaultWorkspace();
  await admin.ensureRootKey(rootKey);
  const link = signInCodes(dir, system.clock, system.randomBytes);
  const server = await startServer({
    ...system,
    config,
    tls: null,
    store,
    keyring: createKeyring([await admin.ensureStoredSecret()]),
    log: createLog({ level: config.logLevel, format: 'json' }),
    metrics: createMetrics(),
    redeemCode: redeemSignInLink({ admin, codes: link, ...system }),
  });
  return {
    url: server.url,
    key: rootKey,
    link,
    async api<T>(method: string, path: string, body?: unknown, key = rootKey): Promise<T> {
      const response = await fetch(server.url + path, {
        method,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
      return JSON.parse(text) as T;
    },
    workspace: async (name, tier, used = 0) => (await usedWorkspace(store, name, tier, used))('live'),
    async stop() {
      await server.stop();
      await store.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

export const wide: BrowserContextOptions = { viewport: { width: 1440, height: 900 }, colorScheme: 'light' };
export const between: BrowserContextOptions = { viewport: { width: 768, height: 1024 }, colorScheme: 'light' };
export const narrow: BrowserContextOptions = { viewport: { width: 390, height: 844 }, colorScheme: 'dark' };

/** What the tests of a file share: a server, a browser, and a receiver of pushes that the server may call. */
export class ConsoleWorld {
  server!: ConsoleServer;
  browser!: Browser;
  receiver!: Receiver;

  /** Called in a `describe`. Its tests are skipped where no browser is installed. */
  hooks(settings: () => Promise<Record<string, string>> = () => Promise.resolve({})): void {
    before(async function (this: Mocha.Context) {
      if (browserPath() === null) this.skip();
    });
    before(async () => {
      this.receiver = await startReceiver();
      this.server = await startConsoleServer({
        HIVEKEEP_PUSH_ALLOW: this.receiver.host,
        HIVEKEEP_PUSH_TRIES: '1',
        ...(await settings()),
      });
      this.browser = await openBrowser(browserPath() ?? '');
    });
    after(async () => {
      await this.browser?.close();
      await this.server?.stop();
      await this.receiver?.close();
    });
  }

  /** Looks at a page in a tab of its own, signed in, which must not complain. */
  async withPage(
    { key = rootKey, path = '', ...options }: BrowserContextOptions & { key?: string; path?: string },
    look: (page: Page) => Promise<void>,
  ): Promise<void> {
    const tab = await openTab(this.browser, options);
    await signIn(tab.page, this.server, { key, path });
    await look(tab.page);
    expect(tab.complaints, 'refused by the policy, or logged as an error').to.deep.equal([]);
    await tab.close();
  }
}

export interface Watched {
  page: Page;
  /** What the policy refused, and what the page logged as an error, other than refused requests of the API. */
  complaints: string[];
  close(): Promise<void>;
}

/** A tab of its own context: no storage is shared with others. */
export async function openTab(browser: Browser, options: BrowserContextOptions = {}): Promise<Watched> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
  const page = await context.newPage();
  const complaints: string[] = [];
  await page.exposeFunction('reportViolation', (text: string) => complaints.push(text));
  await page.addInitScript(
    `addEventListener('securitypolicyviolation', (e) => reportViolation(e.violatedDirective + ' refused ' + e.blockedURI + ' ' + e.sample))`,
  );
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      complaints.push(message.text());
  });
  page.setDefaultTimeout(patient(15_000));
  return { page, complaints, close: () => context.close() };
}

/** Pastes the key on the sign-in page. */
export async function signIn(page: Page, server: ConsoleServer, { key = server.key, path = '' } = {}): Promise<void> {
  await page.goto(`${server.url}/console${path}`);
  await page.getByLabel('API key').fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation', { name: 'Sections' }).waitFor();
}

const axeSource = readFileSync(join(projectRoot, 'node_modules/axe-core/axe.min.js'), 'utf8');

/** What axe finds on the page as it is, a line each. */
export async function axe(page: Page): Promise<string[]> {
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(axeSource);
  return page.evaluate<string[]>(
    `axe.run(document, { resultTypes: ['violations'], preload: false }).then(({ violations }) => violations.flatMap((v) =>
       v.nodes.map((n) => v.id + ': ' + n.target.join(' ') + ': ' + (n.any[0] ?? n.all[0] ?? n.none[0] ?? {}).message)))`,
  );
}
