/** Tools and schedules of an agent in the console, and a call of a tool that asks for approval. */
import { expect } from 'chai';
import { axe, ConsoleWorld, narrow, wide } from '../../helpers/console.js';
import { asking, startScriptedOpenAi, type ScriptedOpenAi } from '../../helpers/scripted-openai.js';

describe('tools and schedules in the console', function () {
  this.timeout(60_000);
  let model: ScriptedOpenAi;
  const world = new ConsoleWorld();
  world.hooks(async () => asking((model = await startScriptedOpenAi())));
  after(() => model?.close());

  const spawn = async (name: string, config: object = {}): Promise<string> =>
    (await world.server.api('POST', '/v1/agents/spawn', { name, config })).data.id;
  const weather = () => ({
    kind: 'http',
    name: 'weather',
    description: 'The weather of a city, now.',
    url: world.receiver.url('/weather'),
    input_schema: {
      type: 'object',
      properties: { city: { type: 'string' }, days: { type: 'integer' }, unit: { enum: ['C', 'F'] } },
      required: ['city'],
    },
  });
  const fits = async (page: { evaluate<T>(text: string): Promise<T> }): Promise<void> => {
    expect(await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')).to.be.at.most(0);
  };

  it('a tool is tried with the fields of its schema; one of the client is said not to be callable here', async () => {
    const tools = [weather(), { kind: 'client', name: 'ring', description: 'Rings.' }];
    const id = await spawn('tried', { tools });
    await world.withPage({ ...narrow, path: `/agents/${id}/tools` }, async (page) => {
      await page.getByText('Whoever starts a run carries it out').waitFor();
      expect(await page.getByRole('button', { name: /^Try it/ }).count()).to.equal(1);
      await page.getByRole('button', { name: 'Try it: weather' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('city', { exact: true }).fill('Rome');
      await dialog.getByLabel('days (optional)').fill('2.5');
      await dialog.getByRole('button', { name: 'Call it' }).click();
      await dialog.getByRole('alert').getByText('integer').waitFor();
      expect(await axe(page), 'the form').to.deep.equal([]);
      await dialog.getByLabel('days (optional)').fill('2');
      await dialog.getByRole('button', { name: 'Call it' }).click();
      await dialog.getByText(/^It took \d+ ms/).waitFor();
      await fits(page);
    });
    expect(world.receiver.taken('/weather').map(({ body }) => body)).to.deep.equal([{ city: 'Rome', days: 2 }]);
    const { data } = await world.server.api<{ data: object[] }>('GET', '/v1/audit?page_size=1');
    expect(data[0]).to.include({ action: 'tool.called', name: 'weather', agent_id: id });
  });

  it('a call of a tool asks for approval with its arguments, and stands in the run with its outcome and time', async () => {
    const config = { model: 'openai/m', multi_step: true, validation_gate: 'action', tools: [weather()] };
    const id = await spawn('asks', config);
    world.receiver.answer('/weather', 503);
    model.queue({ calls: [{ name: 'weather', arguments: { city: 'Oslo' } }] }, { text: 'no idea' });
    const run = await world.server.api('POST', `/v1/agent-constellations/${id}/runs`, { input: 'the weather?' });
    await world.withPage({ ...wide, path: `/agents/${id}/runs/${run.data.id}` }, async (page) => {
      const decision = page.getByRole('region', { name: 'Decision' });
      await decision.getByText('weather', { exact: true }).waitFor();
      await decision.getByText('"city": "Oslo"').waitFor();
      expect(await axe(page), 'the decision').to.deep.equal([]);
      await decision.getByRole('button', { name: 'Approve' }).click();
      const call = page.locator('.waterfall .call').filter({ hasText: 'weather' });
      await call.getByText('the server answered 503').waitFor();
      await call.getByText('"city": "Oslo"').waitFor();
      const step = page.locator('.waterfall .step', { hasText: 'the server answered 503' });
      expect(await step.locator('.number').textContent()).to.match(/\d m?s$/);
      expect(
        await page.locator('.waterfall').getByText('weather', { exact: true }).count(),
        'it is told once',
      ).to.equal(1);
      await page.getByText('Approved by root.').waitFor();
      expect(await axe(page), 'the run').to.deep.equal([]);
    });
  });

  it('a profile shows blocks and what is always to be done, and is changed', async () => {
    const id = await spawn('mindful');
    const wish = 'Always answer in French when I ask about food.';
    await world.server.api('POST', '/v1/memories', { type: 'semantic', content: wish, agent_id: id, subject: 'bo' });
    await world.withPage({ ...narrow, path: `/agents/${id}/profile` }, async (page) => {
      await page.getByText('Nothing yet').waitFor();
      await page.getByLabel('Subject').fill('bo');
      await page.getByRole('button', { name: 'Show' }).click();
      await page.getByText(wish).waitFor();
      const form = page.getByRole('region', { name: 'New block' });
      await form.getByLabel('Label').fill('human');
      await form.getByLabel('What it says').fill('Likes tea.');
      await form.getByRole('button', { name: 'Keep in mind' }).click();
      const list = page.getByRole('region', { name: 'Blocks', exact: true });
      await list.getByRole('textbox', { name: 'human' }).fill('Likes milk.');
      await list.getByRole('button', { name: 'Save human' }).click();
      await list.getByRole('button', { name: 'Undo human' }).waitFor();
      expect(await axe(page)).to.deep.equal([]);
      await fits(page);
      await list.getByRole('button', { name: 'Undo human' }).click();
      await page.getByRole('button', { name: /^Take out: Always/ }).click();
      await page.getByText(wish).waitFor({ state: 'detached' });
    });
    const url = `/v1/agents/${id}/profile?subject=bo`;
    const { data } = await world.server.api<{ data: { entries: object[]; blocks: object[] } }>('GET', url);
    expect(data.entries).to.deep.equal([]);
    expect(data.blocks[0]).to.include({ label: 'human', value: 'Likes tea.', version: 3 });
  });

  it('schedules are made, shown with their next times, paused, resumed and deleted', async () => {
    const id = await spawn('punctual');
    await world.withPage({ ...narrow, path: `/agents/${id}/schedules` }, async (page) => {
      await page.getByText('Nothing is scheduled').waitFor();
      const form = page.getByRole('region', { name: 'New schedule' });
      await form.getByLabel('Cron expression').fill('61 * * * *');
      await form.getByLabel('What it is told').fill('report');
      await form.getByRole('button', { name: 'Schedule it' }).click();
      await form.getByRole('alert').getByText('cron: must').waitFor();
      await form.getByLabel('Cron expression').fill('30 9 * * 1-5');
      await form.getByLabel('Time zone').fill('Europe/Berlin');
      await form.getByRole('button', { name: 'Schedule it' }).click();
      const list = page.getByRole('region', { name: 'Schedules', exact: true });
      await list.getByText('30 9 * * 1-5').waitFor();
      expect(await list.getByRole('listitem').locator('time').count()).to.equal(5);
      expect(await axe(page)).to.deep.equal([]);
      await list.getByRole('button', { name: 'Pause: report' }).click();
      await list.getByText('paused', { exact: true }).waitFor();
      await list.getByRole('button', { name: 'Resume: report' }).click();
      await list.getByText('next', { exact: true }).waitFor();
      await form.getByLabel('Begins').selectOption('every');
      await form.getByLabel('Minutes between').fill('90');
      await form.getByLabel('What it is told').fill('water');
      await form.getByRole('button', { name: 'Schedule it' }).click();
      await list.getByText('every').waitFor();
      await fits(page);
      await list.getByRole('button', { name: 'Delete: report' }).click();
      await page.getByRole('button', { name: 'Delete', exact: true }).click();
      await list.getByText('30 9 * * 1-5').waitFor({ state: 'detached' });
    });
    const { data } = await world.server.api<{ data: object[] }>('GET', `/v1/agents/${id}/schedules`);
    expect(data).to.have.length(1);
    expect(data[0]).to.include({ every: 5400, input: 'water' });
  });
});
