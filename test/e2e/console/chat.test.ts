/** A conversation with an agent in the console: it follows what runs do, whoever has begun them, and decides there. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { axe, ConsoleWorld, narrow, signIn, wide } from '../../helpers/console.js';
import { until } from '../api/support/client.js';
import { startThinker, type Thinker, type Thought } from '../api/support/thinker.js';

/** A picture of one pixel. */
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** The model writes word after word until `seen`: whoever comes late to a text is told it with what comes next. */
async function writing(thinker: Thinker, begins: string, seen: Promise<unknown>): Promise<void> {
  thinker.write(begins);
  const timer = setInterval(() => {
    thinker.write(' so');
  }, 100);
  try {
    await seen;
  } finally {
    clearInterval(timer);
  }
}

describe('the chat of the console', function () {
  this.timeout(60_000);
  let thinker: Thinker;
  const world = new ConsoleWorld();
  world.hooks(async () => {
    thinker = await startThinker();
    return {
      HIVEKEEP_OPENAI_BASE_URL: thinker.baseUrl,
      HIVEKEEP_OPENAI_API_KEY: 'sk-test',
      HIVEKEEP_MESSAGE_WAIT_SECONDS: '1',
    };
  });
  after(() => thinker?.close());
  const asked = (): Promise<number> =>
    until(
      () => Promise.resolve(thinker.waiting),
      (waiting) => waiting > 0,
    );
  /** Answers the question that the model has been asked, or is asked next. */
  const answer = async (thought: Thought): Promise<void> => {
    await asked();
    thinker.release(thought);
  };

  const spawn = async (name: string, config: object = {}): Promise<string> =>
    (await world.server.api('POST', '/v1/agents/spawn', { name, config })).data.id;
  const box = (page: Page): ReturnType<Page['getByRole']> => page.getByRole('textbox', { name: /^Message to / });
  const say = async (page: Page, text: string): Promise<void> => {
    await box(page).fill(text);
    await page.keyboard.press('Enter');
  };
  const theirs = (page: Page, text: string | RegExp): ReturnType<Page['locator']> =>
    page.locator('.bubble.theirs').filter({ hasText: text });

  it('tells an answer while it is written, in every tab and after a reload, and keeps what is typed meanwhile', async () => {
    const id = await spawn('slow', { model: 'openai/m', memory: { learn: 'off' } });
    await world.withPage({ ...wide, path: `/agents/${id}` }, async (page) => {
      await say(page, 'When is the launch?');
      await asked();
      await writing(thinker, 'The launch is', theirs(page, 'The launch is').waitFor());
      expect(await axe(page), 'while it writes').to.deep.equal([]);
      await box(page).fill('and where?');
      await world.withPage({ ...narrow, path: `/agents/${id}` }, async (other) => {
        await writing(thinker, '', theirs(other, 'The launch is').waitFor());
        await signIn(page, world.server, { path: `/agents/${id}` });
        await writing(thinker, '', theirs(page, 'The launch is').waitFor());
        expect(await box(page).inputValue()).to.equal('and where?');
        thinker.release({ text: ' on 12 May.' });
        for (const tab of [page, other]) {
          await theirs(tab, /^The launch is.* on 12 May\.$/).waitFor();
          await tab.getByRole('button', { name: 'Send', exact: true }).waitFor();
          expect(await tab.locator('.bubble').count(), 'each is said once').to.equal(2);
        }
      });
    });
  });

  it('stops an answer, and asks again', async () => {
    const id = await spawn('stopped', { model: 'openai/m', memory: { learn: 'off' } });
    await world.withPage({ ...wide, path: `/agents/${id}` }, async (page) => {
      await say(page, 'A story?');
      await asked();
      await writing(thinker, 'Once upon', theirs(page, 'Once upon').waitFor());
      await page.getByRole('button', { name: 'Stop' }).click();
      await page.getByText('Stopped before it answered.').waitFor();
      await page.getByRole('button', { name: 'Edit and send again' }).click();
      expect(await box(page).inputValue()).to.equal('A story?');
      await page.getByRole('button', { name: 'Ask again' }).click();
      await answer({ text: 'No stories.' });
      await theirs(page, 'No stories.').waitFor();
    });
  });

  it('says more to what is at work, and interrupts it', async () => {
    const id = await spawn('steered', { model: 'openai/m', memory: { learn: 'off' } });
    await world.withPage({ ...wide, path: `/agents/${id}` }, async (page) => {
      await say(page, 'A story?');
      await asked();
      await writing(thinker, 'Once upon', theirs(page, 'Once upon').waitFor());
      await box(page).fill('About a bear');
      await page.getByRole('button', { name: 'Add this' }).click();
      await page.locator('.bubble').filter({ hasText: 'About a bear' }).waitFor();
      expect(await axe(page), 'while it is steered').to.deep.equal([]);
      thinker.release({ text: ' a time.' });
      await answer({ text: 'A bear had a kiln.' });
      await theirs(page, 'A bear had a kiln.').waitFor();
      await say(page, 'Another?');
      await asked();
      await writing(thinker, 'Long ago', theirs(page, 'Long ago').waitFor());
      await box(page).fill('No, a joke');
      await page.getByRole('button', { name: 'Interrupt' }).click();
      await page.getByText('Interrupted before it was finished.').waitFor();
      await answer({ text: 'Knock knock.' });
      await theirs(page, 'Knock knock.').waitFor();
    });
  });

  it('a reply under a question answers it, and an approval is decided where it is asked for', async () => {
    const asks = await spawn('asks', { multi_step: true });
    const gated = await spawn('gated', { multi_step: true, validation_gate: 'action' });
    await world.withPage({ ...narrow, path: `/agents/${asks}` }, async (page) => {
      await say(page, 'Ask a human whether the kiln is cold');
      await page.getByText('It waits for your answer').waitFor();
      expect(await axe(page), 'the question').to.deep.equal([]);
      await say(page, 'It is cold');
      await theirs(page, 'It is cold').waitFor();
      const { data } = await world.server.api<{ data: object[] }>('GET', `/v1/runs?agent_id=${asks}`);
      expect(data, 'it begins no other run').to.have.length(1);
      await page.goto('about:blank');
      await signIn(page, world.server, { path: `/agents/${gated}` });
      await say(page, 'Remember that Ana is in Rome.');
      const decision = page.getByRole('region', { name: 'Decision' });
      await decision.getByText('Ana is in Rome.').last().waitFor();
      expect(await theirs(page, /approv/).count(), 'a notice is nothing that the agent says').to.equal(0);
      expect(await axe(page), 'the decision').to.deep.equal([]);
      await decision.getByLabel('What it should know (optional)').fill('She is in Oslo');
      await decision.getByRole('button', { name: 'Reject' }).click();
      await decision.waitFor({ state: 'detached' });
      await page.getByText('Decided: She is in Oslo').waitFor();
      expect(await theirs(page, /approv/).count()).to.equal(0);
    });
  });

  it('a run that used up its steps, or has failed, says so and goes on', async () => {
    const short = await spawn('short', { multi_step: true, max_steps: 2 });
    const unlucky = await spawn('unlucky', { model: 'openai/m', memory: { learn: 'off' } });
    await world.withPage({ ...wide, path: `/agents/${short}` }, async (page) => {
      await say(page, 'Work in 4 steps: when is the launch?');
      await page.getByText('Its steps were used up after 2 of 2 steps').waitFor();
      await page.getByText('steps used up', { exact: true }).waitFor();
      expect(await axe(page), 'used up').to.deep.equal([]);
      await page.getByRole('button', { name: 'Go on with a new budget' }).click();
      await page.getByText('Its steps were used up after 2 of 2 steps').waitFor({ state: 'detached' });
      await page.goto('about:blank');
      await signIn(page, world.server, { path: `/agents/${unlucky}` });
      await say(page, 'Are you there?');
      await answer({ refuses: 'no such model' });
      await page.getByText(/^It failed: /).waitFor();
      expect(await axe(page), 'failed').to.deep.equal([]);
      await page.getByRole('button', { name: 'Try again' }).click();
      await answer({ text: 'Here I am.' });
      await theirs(page, 'Here I am.').waitFor();
    });
  });

  it('shows Markdown, of which nothing runs, loads or leads elsewhere than to pages', async () => {
    const id = await spawn('writes', { model: 'openai/m', memory: { learn: 'off' } });
    await world.withPage({ ...wide, path: `/agents/${id}` }, async (page) => {
      await say(page, 'Write.');
      await answer({
        text: [
          '# Plan\n\n- **bold** and `code`\n\n| a |\n|---|\n| 1 |\n\n```\nx < y\n```',
          '[page](https://example.org/) [bad](javascript:window.pwned=1) ![seen](https://example.org/x.png)',
          '<img src=x onerror="window.pwned=1"><script>window.pwned=1</script>',
        ].join('\n\n'),
      });
      const told = page.locator('.bubble.theirs');
      await told.locator('li strong').getByText('bold').waitFor();
      expect(await told.locator('table td').textContent()).to.equal('1');
      expect(await told.locator('pre').textContent()).to.equal('x < y');
      const links = "[...document.querySelectorAll('.bubble.theirs a')].map((link) => link.href)";
      expect(await page.evaluate<string[]>(links)).to.deep.equal(['https://example.org/', 'https://example.org/x.png']);
      expect(await told.textContent()).to.include('<script>window.pwned=1</script>');
      expect(await told.locator('img, script').count()).to.equal(0);
      expect(await page.evaluate('window.pwned')).to.equal(undefined);
      expect(await axe(page)).to.deep.equal([]);
    });
  });

  it('images go out with a message and are shown with it', async () => {
    const id = await spawn('sees', { model: 'openai/m', memory: { learn: 'off' } });
    await world.withPage({ ...wide, path: `/agents/${id}` }, async (page) => {
      const bytes = Buffer.from(png, 'base64');
      await page.getByLabel('Images or files').setInputFiles({ name: 'dot.png', mimeType: 'image/png', buffer: bytes });
      await page.getByRole('list', { name: 'Files to send' }).getByAltText('dot.png').waitFor();
      await say(page, 'What is this?');
      await answer({ text: 'A dot.' });
      await theirs(page, 'A dot.').waitFor();
      await page.locator('.turn').getByAltText('dot.png').waitFor();
      const width = await page.evaluate<number>("document.querySelector('.turn img').naturalWidth");
      expect(width, 'the picture is drawn').to.equal(1);
      expect(await axe(page)).to.deep.equal([]);
      await page.getByRole('link', { name: 'How it came to this' }).click();
      await page.getByRole('complementary', { name: 'About the run' }).getByAltText('dot.png').waitFor();
    });
  });
});
