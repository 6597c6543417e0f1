/** Usage alerts in the console: shown below the quota, set in a dialog, for each tier what it has (docs/api.md 6.5). */
import { expect } from 'chai';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { axe, ConsoleWorld, narrow, signIn, wide } from '../../helpers/console.js';

describe('usage alerts in the console', function () {
  this.timeout(60_000);
  const world = new ConsoleWorld();
  world.hooks();

  const withPage = (key: string, options: BrowserContextOptions, look: (page: Page) => Promise<void>): Promise<void> =>
    world.withPage({ ...options, key }, async (page) => {
      await page.getByRole('heading', { name: 'Memories this month' }).waitFor();
      await look(page);
    });
  const part = (page: Page) => page.getByRole('region', { name: 'Usage alerts' });

  it('thresholds are set by keyboard on a phone, and what was told is shown', async () => {
    const key = await world.server.workspace('told', 'pro', 41_000);
    await withPage(key, narrow, async (page) => {
      await part(page).getByText('Told at 80 and 95 %').waitFor();
      await part(page).getByText('None was due this month.').waitFor();
      await part(page).getByRole('button', { name: 'Set alerts' }).focus();
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog');
      await dialog.locator('input:focus').waitFor();
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.type('50, 120');
      await dialog.getByText('Up to 10 whole numbers from 1 to 100').waitFor();
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.type('50, 90');
      expect(await axe(page), 'the dialog').to.deep.equal([]);
      await page.keyboard.press('Enter');
      await dialog.waitFor({ state: 'detached' });
      await part(page).getByText('Told at 50 and 90 %').waitFor();
      await page.reload();
      await signIn(page, world.server, { key });
      const told = part(page).getByRole('listitem');
      expect(await told.textContent())
        .to.include('50 %')
        .and.include('41,000');
      expect(await axe(page)).to.deep.equal([]);
      expect(await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')).to.be.at.most(0);
    });
  });

  it('an empty list turns alerts off', async () => {
    const key = await world.server.workspace('quiet', 'team');
    await withPage(key, wide, async (page) => {
      await part(page).getByRole('button', { name: 'Set alerts' }).click();
      await page.getByRole('dialog').getByLabel('Told at').fill('');
      await page.getByRole('button', { name: 'Save' }).click();
      await part(page).getByText('Alerts are off.').waitFor();
    });
    const { data } = await world.server.api<{ data: unknown }>('GET', '/v1/usage/alerts', undefined, key);
    expect(data).to.deep.include({ thresholds: [] });
  });

  it('other tiers, and keys that may not set them, are told how it is', async () => {
    await withPage(await world.server.workspace('poor', 'free'), wide, async (page) => {
      await page.getByText('Workspaces of tier pro and above can be told').waitFor();
      expect(await page.getByRole('alert').count()).to.equal(0);
    });
    await withPage(world.server.key, wide, async (page) => {
      await part(page).getByText('The month has no limit, so no alert is ever due.').waitFor();
    });
    const reader = await world.server.api<{ data: { key: string } }>('POST', '/v1/keys', {
      name: 'reader',
      mode: 'live',
      scopes: ['usage:read'],
    });
    await withPage(reader.data.key, wide, async (page) => {
      const set = part(page).getByRole('button', { name: /^Set alerts/ });
      expect(await set.getAttribute('aria-disabled')).to.equal('true');
    });
  });
});
