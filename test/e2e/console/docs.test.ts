/** The page of the API at /docs in a real browser: searched, read with samples, and tried with a key. */
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { browserPath, openBrowser, openTab, startConsoleServer, type ConsoleServer } from '../../helpers/console.js';

describe('the page of the API in a browser', function () {
  this.timeout(60_000);
  let server: ConsoleServer;
  let browser: Browser;
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

  it('finds an operation by its words, shows it in three languages, and tries it; all of it from this server', async () => {
    const { page, complaints, close } = await openTab(browser);
    const elsewhere: string[] = [];
    page.on('request', (request) => {
      if (!request.url().startsWith(`${server.url}/`) && !request.url().startsWith('data:'))
        elsewhere.push(request.url());
    });
    await page.goto(`${server.url}/docs`);
    const operations = page.locator('.opblock');
    await operations.first().waitFor();
    await page.getByPlaceholder(/^Filter/).fill('hive create');
    await operations.nth(1).waitFor({ state: 'detached' });
    await operations.getByText('/v1/hives').click();
    for (const [language, says] of [
      ['curl', `curl -X POST '${server.url}/v1/hives'`],
      ['TypeScript', `await fetch('${server.url}/v1/hives'`],
      ['Python', 'httpx.request('],
    ] as const) {
      await page.getByRole('button', { name: language }).click();
      // the page writes the sample after the click has been answered
      const sample = page.locator('.sample').filter({ hasText: says });
      await sample.waitFor();
      expect(await sample.textContent()).to.match(/"name": ?"text"/);
    }
    await page.getByRole('button', { name: 'Authorize' }).click();
    await page.locator('.auth-container input').fill(server.key);
    await page.locator('.auth-btn-wrapper .authorize').click();
    await page.locator('.btn-done').click();
    await page.getByRole('button', { name: 'Try it out' }).click();
    await page.getByRole('button', { name: 'Execute' }).click();
    await page.locator('.live-responses-table').getByText('201').first().waitFor();
    const { data } = await server.api<{ data: { name: string }[] }>('GET', '/v1/hives');
    expect(data.map(({ name }) => name)).to.deep.equal(['text']);
    expect(elsewhere).to.deep.equal([]);
    expect(complaints).to.deep.equal([]);
    expect(await page.evaluate('JSON.stringify([localStorage, sessionStorage]) + location.href')).not.to.include(
      'svc_',
    );
    await close();
  });
});
