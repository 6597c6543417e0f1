/** Webhooks in the console: added, tested, rotated, failing and disabled (docs/webhooks.md). */
import { expect } from 'chai';
import { verifyWebhook } from '../../../packages/client/src/client.js';
import { axe, ConsoleWorld, narrow, wide } from '../../helpers/console.js';

describe('webhooks in the console', function () {
  this.timeout(60_000);
  const world = new ConsoleWorld();
  world.hooks();
  const at = '/operations/webhooks';

  it('are added by keyboard on a phone, with a secret that is shown once, and tested', async () => {
    const url = world.receiver.url('/hook');
    let secret = '';
    await world.withPage({ ...narrow, path: at }, async (page) => {
      await page.getByText('Nobody is told anything').waitFor();
      await page.getByRole('button', { name: 'Add a webhook' }).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').locator('input:focus').waitFor();
      await page.keyboard.type('http://10.0.0.1/');
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').getByText('url: must').waitFor();
      expect(await axe(page), 'the form').to.deep.equal([]);
      await page.getByLabel('URL', { exact: true }).fill(url);
      await page.getByLabel('message.received').check();
      await page.getByRole('button', { name: 'Add it' }).click();
      const shown = page.getByRole('dialog', { name: 'The secret of the webhook' });
      secret = (await shown.getByLabel('Code to copy').textContent()) ?? '';
      expect(secret).to.match(/^whsec_/);
      await shown.getByRole('button', { name: 'I have copied it' }).click();
      await page.getByRole('button', { name: `Test ${url}` }).click();
      await page.getByText('The test was delivered.').waitFor();
      expect(await page.content()).not.to.include(secret);
      expect(await axe(page)).to.deep.equal([]);
      expect(await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')).to.be.at.most(0);
    });
    const [{ headers, body } = { headers: {}, body: {} }] = world.receiver.taken('/hook');
    expect(await verifyWebhook(JSON.stringify(body), headers, secret)).to.include({ type: 'webhook.test' });
  });

  it('say that they fail, are disabled and enabled, get another secret, and are deleted', async () => {
    const url = world.receiver.url('/failing');
    world.receiver.always('/failing', 500);
    const made = await world.server.api('POST', '/v1/webhooks', { url, events: ['agent.created'] });
    await world.server.api('POST', '/v1/agents/spawn', { name: 'news' });
    await world.withPage({ ...wide, path: at }, async (page) => {
      const one = page.getByRole('listitem').filter({ hasText: url });
      await one.getByText('It has taken nothing since').waitFor();
      await one.getByText('the receiver answered 500').waitFor();
      expect(await axe(page)).to.deep.equal([]);
      await page.getByRole('button', { name: `Test ${url}` }).click();
      await page.getByText('It was not delivered: the receiver answered 500').waitFor();
      await page.getByRole('button', { name: `Disable ${url}` }).click();
      await one.getByText('disabled', { exact: true }).waitFor();
      await page.getByRole('button', { name: `Enable ${url}` }).click();
      await one.getByText('enabled', { exact: true }).waitFor();
      await page.getByRole('button', { name: `Rotate secret of ${url}` }).click();
      await page.getByRole('button', { name: 'Rotate', exact: true }).click();
      await page
        .getByRole('dialog', { name: 'The secret of the webhook' })
        .getByText(/whsec_/)
        .waitFor();
      await page.getByRole('button', { name: 'I have copied it' }).click();
      await page.getByRole('button', { name: `Delete ${url}` }).click();
      await page.getByRole('button', { name: 'Delete', exact: true }).click();
      await one.waitFor({ state: 'detached' });
    });
    const { data } = await world.server.api<{ data: { id: string }[] }>('GET', '/v1/webhooks');
    expect(data.map(({ id }) => id)).not.to.include(made.data.id);
  });
});
