/** What the console says of memories, schedules, events and settings is what they are. */
import { expect } from 'chai';
import { axe, ConsoleWorld, narrow, wide } from '../../helpers/console.js';

describe('what the console tells', function () {
  this.timeout(60_000);
  const world = new ConsoleWorld();
  world.hooks();

  const spawn = async (name: string, more: object = {}): Promise<string> =>
    (await world.server.api('POST', '/v1/agents/spawn', { name, ...more })).data.id;

  it('a fact is corrected by one that takes its place, and its conversation is a link', async () => {
    const agent_id = await spawn('Facts');
    const memory = { type: 'semantic', agent_id, sessionId: 'with-jim', speaker: 'Ana', metadata: { team: 'blue' } };
    await world.server.api('POST', '/v1/memories', { ...memory, content: 'Jim keeps the keys.' });
    await world.withPage({ ...narrow, path: `/agents/${agent_id}/memories` }, async (page) => {
      await page.getByText('said by Ana').waitFor();
      expect(await page.getByRole('link', { name: 'in this conversation' }).getAttribute('href')).to.match(
        /\?session=with-jim$/,
      );
      await page.getByRole('button', { name: 'Correct' }).click();
      await page.getByLabel('Content').fill('Bob keeps the keys.');
      expect(await axe(page), 'the form').to.deep.equal([]);
      await page.getByRole('button', { name: 'Correct it' }).click();
      await page.getByText('superseded').waitFor();
      await page.getByRole('button', { name: 'History' }).first().click();
      const history = page.getByRole('dialog').locator('li');
      await history.first().waitFor();
      const told = (await history.allTextContents()).join(' ');
      expect(told).to.include('Jim keeps the keys.').and.include('Bob keeps the keys.');
    });
  });

  it('times of a schedule are those of its zone, which is named', async () => {
    const id = await spawn('punctual');
    const url = `/v1/agents/${id}/schedules`;
    await world.server.api('POST', url, { cron: '30 9 * * *', timezone: 'Asia/Tokyo', input: 'report' });
    await world.server.api('POST', url, { at: '2199-12-24T18:00:00Z', input: 'sing' });
    await world.withPage(
      { ...wide, timezoneId: 'America/Lima', locale: 'en-GB', path: `/agents/${id}/schedules` },
      async (page) => {
        const report = page.getByRole('listitem').filter({ hasText: 'report' });
        await report.getByText('in Asia/Tokyo').last().waitFor();
        expect(await report.locator('.meta time').allTextContents()).to.have.length(5);
        expect((await report.locator('.meta time').allTextContents()).join(' ')).to.match(/^(.* 09:30\s?)+$/);
        const sing = page.getByRole('listitem').filter({ hasText: 'sing' });
        expect(await sing.locator('strong').textContent()).to.match(/^once, 24 Dec 2199/);
      },
    );
  });

  it('says how far the search for an agent reaches', async () => {
    await spawn('worker-4242');
    await world.withPage({ ...wide, path: '/agents?name=4242' }, async (page) => {
      await page.getByRole('link', { name: 'worker-4242' }).waitFor();
      await page.getByText('No name begins with “4242”.').waitFor();
      expect(await axe(page)).to.deep.equal([]);
    });
  });

  it('says so where a model names a server that is not there', async () => {
    const id = await spawn('dreamer');
    await world.withPage({ ...narrow, path: `/agents/${id}/settings` }, async (page) => {
      await page.getByLabel('Model').fill('nosuch/gpt-5');
      await page.getByText('This service has no model server “nosuch”').waitFor();
      expect(await axe(page)).to.deep.equal([]);
    });
  });

  it('tells live events in words, with names', async () => {
    const id = await spawn('Ada');
    await world.withPage({ ...narrow, path: '/operations/events' }, async (page) => {
      await page.getByRole('status').getByText('live').waitFor();
      await world.server.api('POST', `/v1/agents/${id}/message`, { content: 'Say: hello' });
      const feed = page.getByRole('list', { name: 'Events, the newest first' });
      await feed.getByRole('link', { name: 'Ada' }).first().waitFor();
      await feed.getByText('completed').waitFor();
      expect(await feed.textContent()).not.to.match(/[{}"]|run_|agent_/);
      expect(await axe(page)).to.deep.equal([]);
    });
  });
});
