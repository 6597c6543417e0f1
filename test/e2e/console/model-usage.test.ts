/** Usage and budget of models in the console (docs/api.md 8.6). */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { axe, ConsoleWorld, narrow, wide } from '../../helpers/console.js';

const answer = JSON.stringify({
  choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'Done.' } }],
  usage: { prompt_tokens: 1_000_000, completion_tokens: 500_000 },
});

describe('usage of models in the console', function () {
  this.timeout(60_000);
  const dir = mkdtempSync(join(tmpdir(), 'hivekeep-prices-'));
  const prices = join(dir, 'prices.json');
  writeFileSync(prices, JSON.stringify({ 'openai/m': { input: 2, output: 8 } }));
  let model: Server;
  const world = new ConsoleWorld();
  world.hooks(async () => {
    model = createServer((request, response) => {
      request.resume().on('end', () => response.setHeader('content-type', 'application/json').end(answer));
    });
    await new Promise<void>((resolve) => model.listen(0, '127.0.0.1', resolve));
    const { port } = model.address() as AddressInfo;
    return {
      HIVEKEEP_OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`,
      HIVEKEEP_OPENAI_API_KEY: 'sk-test',
      HIVEKEEP_PRICES: prices,
    };
  });
  after(() => {
    model.close();
    rmSync(dir, { recursive: true, force: true });
  });
  const path = '/operations/usage';

  it('says when there is none, then tells days and agents, and sets the budget by keyboard on a phone', async () => {
    const { api } = world.server;
    await world.withPage({ ...wide, path }, async (page) => {
      await page.getByRole('heading', { name: 'No model was used in these days' }).waitFor();
    });
    for (const [name, times] of [
      ['Scout', 2],
      ['Clerk', 1],
    ] as const) {
      const config = { model: 'openai/m', memory: { learn: 'off' } };
      const { data } = await api('POST', '/v1/agents/spawn', { name, config });
      for (let i = 0; i < times; i++) await api('POST', `/v1/agents/${data.id}/message`, { content: 'Hello' });
    }
    await world.withPage({ ...narrow, path }, async (page) => {
      const used = page.getByRole('region', { name: 'Usage of models' });
      await used.getByText('$18.00').first().waitFor();
      const agents = used.getByRole('list', { name: 'Agents that used most' }).getByRole('listitem');
      expect(await agents.allTextContents()).to.deep.equal(['Scout$12.00', 'Clerk$6.00']);
      expect(await used.getByRole('list', { name: 'Usage by day' }).getByRole('listitem').count()).to.equal(1);

      const budget = page.getByRole('region', { name: 'Budget of models' });
      await budget.getByText('without a bound').waitFor();
      await budget.getByRole('button', { name: 'Set the budget' }).focus();
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog');
      await dialog.locator('input:focus').waitFor();
      await page.keyboard.type('a lot');
      await dialog.getByText('A number above 0').waitFor();
      expect(await axe(page), 'the dialog').to.deep.equal([]);
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.type('20');
      await page.keyboard.press('Enter');
      await dialog.waitFor({ state: 'detached' });
      expect(await budget.textContent()).to.include('$18.00 of $20.00');
      await budget.getByRole('button', { name: 'Set the budget' }).click();
      await dialog.getByLabel('Tokens of each subject in a month').fill('5000');
      await page.keyboard.press('Enter');
      await dialog.waitFor({ state: 'detached' });
      await budget.getByLabel('Subject', { exact: true }).fill('ana');
      await page.keyboard.press('Enter');
      await budget.getByText('0 tokens of 5,000 tokens').waitFor();
      expect(await axe(page)).to.deep.equal([]);
      expect(await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')).to.be.at.most(0);
    });
    expect((await api('GET', '/v1/usage/budget')).data).to.deep.include({
      cost_per_month: 20,
      tokens_per_month: null,
      per_subject: { cost_per_month: null, tokens_per_month: 5000 },
    });
  });
});
