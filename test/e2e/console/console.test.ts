/** The console in a real browser (packages/console/). */
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import {
  axe,
  browserPath,
  openBrowser,
  openTab,
  signIn,
  startConsoleServer,
  type ConsoleServer,
  type Watched,
} from '../../helpers/console.js';

describe('the console in a browser', function () {
  this.timeout(60_000);
  let server: ConsoleServer;
  let browser: Browser;
  let tab: Watched;
  before(async function () {
    const path = browserPath();
    if (path === null) return this.skip();
    server = await startConsoleServer();
    browser = await openBrowser(path);
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
  });
  beforeEach(async () => {
    tab = await openTab(browser);
  });
  afterEach(async () => {
    await tab.close();
    expect(tab.complaints, 'refused by the policy, or logged as an error').to.deep.equal([]);
  });

  describe('signing in', () => {
    it('a browser that opens / comes to it', async () => {
      await tab.page.goto(server.url);
      expect(new URL(tab.page.url()).pathname).to.equal('/console');
      await tab.page.getByLabel('API key').waitFor();
      expect(await axe(tab.page)).to.deep.equal([]);
    });

    it('says so when a key is refused', async () => {
      await tab.page.goto(`${server.url}/console`);
      await tab.page.getByLabel('API key').fill('svc_live_nobody');
      await tab.page.keyboard.press('Enter');
      const alert = tab.page.getByRole('alert');
      expect(await alert.textContent()).to.include('This key was refused');
    });

    it('keeps the key in memory, unless the person asks for more', async () => {
      const stored = (): Promise<string> => tab.page.evaluate('JSON.stringify([sessionStorage, localStorage])');
      await signIn(tab.page, server);
      expect(await stored()).not.to.include('svc_');
      expect(tab.page.url()).not.to.include('svc_');
      await tab.page.reload();
      await tab.page.getByLabel('API key').fill(server.key);
      await tab.page.getByLabel('Keep me signed in in this tab').check();
      await tab.page.getByRole('button', { name: 'Sign in' }).click();
      await tab.page.getByRole('navigation', { name: 'Sections' }).waitFor();
      await tab.page.reload();
      await tab.page.getByRole('navigation', { name: 'Sections' }).waitFor();
      await tab.page.getByRole('button', { name: 'Sign out' }).first().click();
      await tab.page.getByLabel('API key').waitFor();
      expect(await stored()).not.to.include('svc_');
    });

    it('the link of the terminal signs in once, and signing out revokes its key', async () => {
      const url = `${server.url}/console#code=${server.link.issue()}`;
      await tab.page.goto(url);
      await tab.page.getByRole('navigation', { name: 'Sections' }).waitFor();
      expect(tab.page.url()).to.equal(`${server.url}/console`);
      const keys = async (): Promise<string[]> =>
        (await server.api<{ data: { name: string }[] }>('GET', '/v1/keys')).data.map(({ name }) => name);
      expect(await keys()).to.include('console sign-in');
      await tab.page.reload();
      await tab.page.getByRole('navigation', { name: 'Sections' }).waitFor();
      // as a click with Ctrl opens it
      const other = await tab.page.context().newPage();
      await other.goto(`${server.url}/console/agents`);
      await other.getByRole('navigation', { name: 'Sections' }).waitFor();
      await tab.page.getByRole('button', { name: 'Sign out' }).first().click();
      await tab.page.getByLabel('API key').waitFor();
      expect(await keys()).not.to.include('console sign-in');
      await other.getByText('You have signed out in another tab.').waitFor();
      await other.close();
      await tab.page.goto('about:blank');
      await tab.page.goto(url);
      expect(await tab.page.getByRole('alert').textContent()).to.include('has been used');
    });
  });
});
