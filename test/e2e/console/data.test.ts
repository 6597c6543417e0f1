/** Export and import in the console: by keyboard, with progress, for keys that may (docs/export.md). */
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { axe, between, ConsoleWorld, narrow, wide } from '../../helpers/console.js';

const name = '<b>Ada</b> & co';

describe('export and import in the console', function () {
  this.timeout(60_000);
  const world = new ConsoleWorld();
  world.hooks();
  let agent: string;
  let lines: Buffer;
  before(async () => {
    agent = (await world.server.api('POST', '/v1/agents/spawn', { name })).data.id;
    await world.server.api('POST', '/v1/memories', { type: 'semantic', content: 'the ibis is white', agent_id: agent });
  });
  const data = { path: '/operations/data' };
  const part = (page: Page, label: string) => page.getByRole('region', { name: label });
  const fits = async (page: Page): Promise<void> => {
    expect(await axe(page)).to.deep.equal([]);
    expect(await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')).to.be.at.most(0);
  };
  const saved = async (page: Page, press: () => Promise<void>): Promise<[string, Buffer]> => {
    const [download] = await Promise.all([page.waitForEvent('download'), press()]);
    return [download.suggestedFilename(), readFileSync(await download.path())];
  };

  it('a workspace and an agent are saved as files, by keyboard', async () => {
    await world.withPage({ ...narrow, ...data }, async (page) => {
      const button = part(page, 'Export').getByRole('button', { name: 'Export the workspace' });
      await button.waitFor();
      await fits(page);
      const [file, content] = await saved(page, async () => {
        await button.focus();
        await page.keyboard.press('Enter');
      });
      expect(file).to.match(/^default-\d{4}-\d\d-\d\d\.ndjson$/);
      lines = content;
      await page.getByText('The export is complete').waitFor();
    });
    expect(lines.toString())
      .to.include('the ibis is white')
      .and.match(/"record":"end".*\n$/);
    await world.withPage({ ...between, path: `/agents/${agent}/settings` }, async (page) => {
      const button = page.getByRole('button', { name: `Export ${name}` });
      await button.waitFor();
      await fits(page);
      const [file, content] = await saved(page, () => button.click());
      expect(file).to.match(/^-b-Ada-b-co-/);
      expect(content.toString()).to.include(`"agent":"${agent}"`);
    });
  });

  it('a file is imported, says what came of it, and again as a copy; a wrong one is refused with its line', async () => {
    const other = await world.server.workspace('other', 'pro');
    await world.withPage({ ...wide, ...data, key: other }, async (page) => {
      const form = part(page, 'Import');
      const choose = async (buffer: Buffer): Promise<void> => {
        await form.getByLabel('File').setInputFiles({ name: 'a.ndjson', mimeType: 'application/x-ndjson', buffer });
        await form.getByRole('button', { name: 'Import' }).focus();
        await page.keyboard.press('Enter');
      };
      await choose(lines);
      await form.getByText('Added: 1 agent, 1 memory').waitFor();
      await fits(page);
      await form.getByLabel('As a copy, with new ids').check();
      await choose(lines);
      await form.getByText('Added: 1 agent, 1 memory').waitFor();
      await choose(Buffer.from('nothing\n'));
      await form.getByRole('alert').getByText('Line 1: must be JSON').waitFor();
      await fits(page);
    });
    const there = await world.server.api<{ data: unknown[] }>('GET', '/v1/agents', undefined, other);
    expect(there.data).to.have.length(2);
  });

  it('an export that is cut is no file, and says so; a key that may not is told what it lacks', async () => {
    await world.withPage({ ...wide, ...data }, async (page) => {
      await page.route('**/v1/export', (route) => route.fulfill({ body: lines.subarray(0, -300) }));
      await part(page, 'Export').getByRole('button', { name: 'Export the workspace' }).click();
      await part(page, 'Export').getByRole('alert').getByText('No connection.').waitFor();
    });
    const reader = await world.server.api<{ data: { key: string } }>('POST', '/v1/keys', {
      name: 'reader',
      mode: 'live',
      scopes: ['agent:read'],
    });
    await world.withPage({ ...wide, ...data, key: reader.data.key }, async (page) => {
      await page.getByText('workspace:admin').first().waitFor();
      expect(await page.getByRole('button', { name: 'Export the workspace' }).count()).to.equal(0);
    });
  });
});
