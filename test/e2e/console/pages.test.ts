/**
 * The console's pages in a real browser: what a person does on each of them, by keyboard where that matters, on what
 * agents and peers may have written. axe looks at every page, wide and light, in between, and narrow and dark.
 */
import { expect } from 'chai';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { axe, ConsoleWorld, narrow, openTab, signIn, wide, type Watched } from '../../helpers/console.js';
import { startCuttingProxy } from '../a2a/support/cutting-proxy.js';
import { rootKey } from '../../helpers/server-process.js';

/** Markup that runs a script in a page which takes it for its own. */
const hostile = `"><img src=x onerror="window.pwned=1"><script>window.pwned=1</script>{{7*7}}javascript:window.pwned=1`;

describe('the pages of the console', function () {
  this.timeout(60_000);
  const world = new ConsoleWorld();
  world.hooks();
  let tab: Watched;
  let page: Page;
  /** A tab of its own, signed in. */
  const open = async (
    path = '',
    {
      key = rootKey,
      url = world.server.url,
      ...options
    }: BrowserContextOptions & { key?: string; url?: string } = wide,
  ): Promise<void> => {
    tab = await openTab(world.browser, options);
    page = tab.page;
    await signIn(page, { ...world.server, url }, { key, path });
  };
  afterEach(async () => {
    await tab.close();
    expect(tab.complaints, 'refused by the policy, or logged as an error').to.deep.equal([]);
  });

  const spawn = async (name: string, more: object = {}): Promise<string> =>
    (await world.server.api('POST', '/v1/agents/spawn', { name, ...more })).data.id;
  const startRun = async (agent: string, input: string): Promise<string> =>
    (await world.server.api('POST', `/v1/agent-constellations/${agent}/runs`, { input })).data.id;
  /** To another page of the console, as a link goes there. */
  const visit = async (path: string): Promise<void> => {
    await page.evaluate(`history.pushState(null, '', '/console${path}'); dispatchEvent(new PopStateEvent('popstate'))`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
  };
  const say = async (text: string): Promise<void> => {
    await page.getByRole('textbox', { name: /^Message / }).fill(text);
    await page.keyboard.press('Enter');
  };
  const button = (name: string): ReturnType<Page['getByRole']> => page.getByRole('button', { name, exact: true });

  it('two agents are spawned and talk, and an answer shows what it was made of', async () => {
    await open();
    for (const name of ['Ada', 'Bob']) {
      await visit('/agents');
      await button('Spawn an agent').click();
      await page.getByLabel('Name', { exact: true }).fill(name);
      await page.getByLabel('Wakes on messages').check();
      await button('Spawn').click();
      await page.getByRole('heading', { level: 1, name }).waitFor();
    }
    await say('Remember that the launch is on 12 May.');
    await page.getByText('I am remembering').waitFor();
    await say('When is the launch?');
    await page.getByText('From memory: The launch is on 12 May').waitFor();
    await page.getByText('Consulted 1 memory').click();
    expect(await page.locator('.consulted .relevance').textContent()).to.match(/relevance \d+%/);
    await visit('/agents');
    await page.getByRole('link', { name: 'Ada' }).click();
    await say('Ask Bob about the launch');
    await page.getByText('I am writing to Bob').waitFor();
    await visit('/agents');
    await page.getByRole('link', { name: 'Bob' }).click();
    await page.getByRole('link', { name: 'Mailbox' }).click();
    await page.getByText('what do you know about the launch').waitFor();
    await page.locator('.items').getByRole('link', { name: 'Ada' }).waitFor(); // the name comes after the message
    await visit('/hives');
    await page.getByRole('link', { name: 'The mailbox of Bob' }).waitFor();
    await page.getByText('As a table').click();
    await page.getByRole('row', { name: /Ada Bob/ }).waitFor();
  });

  it('a conversation is read again, gone on with, and deleted', async () => {
    const agent = await spawn('Talks');
    const { data } = await world.server.api<{ data: { sessionId: string } }>('POST', `/v1/agents/${agent}/message`, {
      content: 'Say: good morning',
    });
    await open(`/agents/${agent}`);
    await page.locator('.bubble.theirs').getByText('good morning').waitFor();
    await say('Say: good night');
    await page.locator('.bubble.theirs').getByText('good night').waitFor();
    expect(await page.getByLabel('Conversation', { exact: true }).first().inputValue()).to.equal(data.sessionId);
    await button('Delete…').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Say something to Talks').waitFor();
  });

  it('what is typed while it thinks stays, and its answer goes to the conversation in which it was asked', async () => {
    const agent = await spawn('Thinks');
    await world.server.api('POST', `/v1/agents/${agent}/message`, {
      content: 'Say: the first one',
      sessionId: 'first',
    });
    await open(`/agents/${agent}`);
    await page.locator('.bubble.theirs').getByText('the first one').waitFor();
    let goOn = (): void => undefined;
    const held = new Promise<void>((resolve) => (goOn = resolve));
    let tries = 0;
    await page.route('**/message', async (route) => {
      if (tries++ === 0) {
        await route.abort();
        return;
      }
      await held;
      await route.continue();
    });
    await button('Begin a new one').click();
    await say('Say: the second one');
    await page.getByText('This message was not answered.').waitFor();
    await button('Send it again').click();
    await page.locator('.bubble.thinking').waitFor();
    const box = page.getByRole('textbox', { name: /^Message / });
    await box.fill('and then');
    await page.getByLabel('Conversation', { exact: true }).first().selectOption('first');
    await page.locator('.bubble.thinking').waitFor({ state: 'detached' });
    goOn();
    const second = page.locator('option', { hasText: 'the second one' });
    await second.waitFor({ state: 'attached' });
    expect(await page.locator('.bubble').allTextContents()).to.deep.equal(['Say: the first one', 'the first one']);
    await page
      .getByLabel('Conversation', { exact: true })
      .first()
      .selectOption((await second.getAttribute('value')) ?? '');
    await page.locator('.bubble.theirs').getByText('the second one').waitFor();
    expect(await box.inputValue()).to.equal('and then');
  });

  it('settings that are not saved stay while other pages are looked at', async () => {
    const agent = await spawn('Drafted');
    await open(`/agents/${agent}/settings`);
    await page.getByLabel('Instructions').fill('Be brief.');
    await page.getByRole('link', { name: 'Mailbox' }).click();
    await page.getByRole('link', { name: 'Settings' }).click();
    expect(await page.getByLabel('Instructions').inputValue()).to.equal('Be brief.');
    await button('Save').click();
    await page.getByText('Saved.').waitFor();
    await page.getByText('Not saved yet.').waitFor({ state: 'detached' });
    expect(await page.getByLabel('Instructions').inputValue()).to.equal('Be brief.');
  });

  it('a turn that was not answered says what its run waits for', async () => {
    const agent = await spawn('Waits', { config: { multi_step: true } });
    await startRun(agent, 'Ask a human whether the kiln is cold');
    await world.server.api('POST', `/v1/agents/${agent}/message`, { content: 'Say: good morning' });
    await open(`/agents/${agent}`);
    const conversation = page.getByLabel('Conversation', { exact: true }).first();
    const earlier = conversation.locator('option', { hasText: 'whether the kiln' });
    await earlier.waitFor({ state: 'attached' });
    await conversation.selectOption((await earlier.getAttribute('value')) ?? '');
    await page.locator('.bubble.theirs').getByText('whether the kiln is cold').waitFor();
    await page.locator('.turn').getByRole('link', { name: 'How it came to this' }).click();
    await page.getByLabel('Your answer').fill('It is cold');
    await button('Answer').click();
    await page.getByText('all is told').waitFor();
    await visit(`/agents/${agent}`);
    await conversation.selectOption((await earlier.getAttribute('value')) ?? '');
    await page.locator('.bubble.mine').getByText('It is cold').waitFor();
    expect(await page.locator('.bubble').first().textContent()).to.equal('Ask a human whether the kiln is cold');
  });

  it('a run is watched live and approved, on a phone and by keyboard alone', async () => {
    const agent = await spawn('Gated', { config: { multi_step: true, validation_gate: 'action' } });
    await open(`/agents/${agent}/runs`, narrow);
    const press = async (target: ReturnType<Page['getByRole']>): Promise<void> => {
      await target.waitFor();
      for (let n = 0; n < 60; n++) {
        if ((await target.and(page.locator(':focus')).count()) === 1) {
          await page.keyboard.press('Enter');
          return;
        }
        await page.keyboard.press('Tab');
      }
      throw new Error('it is not reached by Tab');
    };
    await press(page.getByLabel('Input'));
    await page.keyboard.press('Backspace'); // the line that Enter began
    await page.keyboard.type('Remember that Ana is in Rome.');
    await press(button('Start and watch'));
    await page.getByText('It asks for your approval').waitFor();
    expect(await page.getByRole('region', { name: 'Decision' }).textContent()).to.include('Ana is in Rome');
    await press(button('Approve'));
    await page.getByText('all is told').waitFor();
    await press(button('Show the journal'));
    expect(await page.getByLabel('Timeline').textContent()).to.include('Completed');
    const { data } = await world.server.api<{ data: { content: string }[] }>('GET', `/v1/memories?agent_id=${agent}`);
    expect(data.map(({ content }) => content)).to.deep.equal(['Ana is in Rome.']);
  });

  it('a question is answered, a run is forked, and both are compared', async () => {
    const agent = await spawn('Asks', { config: { multi_step: true } });
    const run = await startRun(agent, 'Ask a human whether we may ship');
    await open(`/agents/${agent}/runs/${run}`);
    await page.getByLabel('Your answer').fill('Yes, on Friday');
    await button('Answer').click();
    await page.getByText('all is told').waitFor();
    await button('Fork from here, step 1').click();
    await page.getByText('step 1 of another run').waitFor();
    await page.getByRole('link', { name: 'compare' }).click();
    await page.getByRole('heading', { name: 'Its fork from step 1' }).waitFor();
    const fork = page.getByRole('region', { name: 'Its fork from step 1' });
    await fork.getByRole('heading', { name: 'Step 1 taken over' }).waitFor();
  });

  it('a run that waits is cancelled', async () => {
    const agent = await spawn('Unsure', { config: { multi_step: true } });
    const run = await startRun(agent, 'Ask a human whether we may ship');
    await open(`/agents/${agent}/runs/${run}`);
    await page.getByLabel('Your answer').waitFor();
    await button('Cancel…').click();
    await button('Cancel the run').click();
    await page.getByRole('status').getByText('Cancelled.').waitFor(); // its timeline says that it was cancelled, too
    await button('Delete…').waitFor();
  });

  it('a run that used up its steps is resumed with a new budget, and goes on before the eyes', async () => {
    const agent = await spawn('Slow', { config: { multi_step: true } });
    const { id } = (
      await world.server.api('POST', `/v1/agent-constellations/${agent}/runs`, {
        input: 'Work in 4 steps: when is the launch?',
        maxSteps: 2,
      })
    ).data;
    await open(`/agents/${agent}/runs/${id}`);
    await page.getByText('Because its steps are used up.').waitFor();
    await button('Resume with a new budget').click();
    await page.getByText('Because it has answered.').waitFor();
  });

  it('a stream that is cut in the middle goes on without a gap', async () => {
    const proxy = await startCuttingProxy(() => world.server.url);
    const agent = await spawn('Cut', { config: { multi_step: true, validation_gate: 'action' } });
    const run = await startRun(agent, 'Remember that the crane is ready.');
    try {
      await open(`/agents/${agent}/runs/${run}`, { ...wide, url: proxy.url });
      await page.getByText('It asks for your approval').waitFor();
      proxy.cut();
      await page.getByText('connection lost, trying again').waitFor();
      await world.server.api('POST', `/v1/agent-constellations/${agent}/runs/${run}/resume`, { decision: 'approve' });
      await page.getByText('all is told').waitFor();
      await button('Show the journal').click();
      const numbers = await page.getByTitle('Its number in the stream').allTextContents();
      expect(numbers).to.deep.equal(numbers.map((_number, at) => `#${at + 1}`));
    } finally {
      await proxy.close();
    }
  });

  it('a memory is added, found with its relevance, changed and deleted', async () => {
    const agent = await spawn('Knows');
    await open(`/agents/${agent}/memories`);
    await page.getByText('Nothing is remembered here yet').waitFor();
    await button('Add').click();
    await page.getByLabel('Content').fill('The door code is 4711');
    await button('Remember').click();
    await page.getByText('Remembered.').waitFor();
    await page.getByLabel('Search memories').fill('What is the door code?');
    await page.keyboard.press('Enter');
    await page.getByText('1 memory found').waitFor();
    expect(await page.locator('.items .relevance').count()).to.equal(1);
    await button('Edit').click();
    await page.getByLabel('Content').fill('The door code is 4712');
    await button('Save').click();
    await page.getByText('Changed.').waitFor();
    await page.locator('.items').getByText('4712').waitFor();
    await page.locator('.items').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Nothing says that').waitFor();
  });

  it('a fact that has changed shows what it replaced', async () => {
    const agent = await spawn('Facts');
    for (const content of ['The launch is in May.', 'The launch moved to June.'])
      await world.server.api('POST', '/v1/memories', {
        type: 'semantic',
        content,
        agent_id: agent,
        metadata: { key: 'launch' },
      });
    await open(`/agents/${agent}/memories`);
    await page.getByText('superseded').waitFor();
    await page.getByRole('button', { name: 'History' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('so it is now').waitFor();
    expect(await dialog.locator('li').allTextContents()).to.have.length(2);
  });

  it('a long text does not hide what comes after it, in a list of memories or of runs', async () => {
    const agent = await spawn('A name that needs more room than a column of a table has for it '.repeat(2));
    const long = 'The harbour master wrote about tides. '.repeat(200);
    for (const content of [long, 'The pilot boat is late.'])
      await world.server.api('POST', '/v1/memories', { type: 'semantic', content, agent_id: agent });
    await startRun(agent, `Say: ${long}`);
    await open(`/agents/${agent}/memories`);
    const height = async (): Promise<number> =>
      (await page.locator('.items li').filter({ hasText: 'harbour master' }).boundingBox())?.height ?? 0;
    await button('Show all 7,600 characters').focus();
    expect(await height()).to.be.below(450);
    await page.keyboard.press('Enter');
    await button('Show less').waitFor();
    expect(await height()).to.be.above(1000);
    await visit(`/runs?agent=${agent}`);
    const row = page.locator('tbody tr').filter({ hasText: 'harbour master' });
    expect((await row.boundingBox())?.height).to.be.below(200);
  });

  it('a long description does not push the page of an agent or a hive away', async () => {
    const description = 'Keeps the plan of the harbour. '.repeat(100);
    const agent = await spawn('Wordy', { description });
    const hive = (await world.server.api('POST', '/v1/hives', { name: 'wordy', description })).data.id;
    await open('', narrow);
    for (const path of [`/agents/${agent}`, `/hives/${hive}`]) {
      await visit(path);
      await page.getByRole('heading', { name: 'wordy', level: 1 }).waitFor();
      await button('Show all 3,100 characters').waitFor();
      expect((await page.locator('.page-head').boundingBox())?.height, path).to.be.below(300);
    }
  });

  it('a token is minted, shown once, and revoked; a key likewise', async () => {
    const agent = await spawn('Tokens');
    await open(`/agents/${agent}/tokens`);
    for (const [what, prefix] of [
      ['token', 'at_'],
      ['key', 'svc_live_'],
    ] as const) {
      if (what === 'key') await visit('/operations');
      await page.getByLabel('Name').fill('partner');
      await button(`Mint the ${what}`).click();
      const secret = await page.getByRole('dialog').getByLabel('Code to copy').textContent();
      expect(secret).to.match(new RegExp(`^${prefix}`));
      await button('I have copied it').click();
      await button('Revoke partner').click();
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
      await page.getByText('partner is revoked.').first().waitFor();
      await button('Revoke partner').waitFor({ state: 'detached' });
      expect(await page.content()).not.to.include(secret);
    }
  });

  it('a dead letter is replayed', async () => {
    const agent = await spawn('Pushes');
    world.receiver.always('/hook', 500);
    await world.server.api('POST', `/api/v1/a2a/agents/${agent}`, {
      jsonrpc: '2.0',
      id: 1,
      method: 'message/send',
      params: {
        message: { kind: 'message', role: 'user', messageId: 'm', parts: [{ kind: 'text', text: 'Say: hello' }] },
        configuration: { pushNotificationConfig: { url: world.receiver.url('/hook') } },
      },
    });
    await open('/operations/dead-letters');
    const replay = page.getByRole('button', { name: /^Replay/ });
    await replay.first().waitFor();
    world.receiver.always('/hook', null);
    for (let left = await replay.count(); left > 0; left = await replay.count()) {
      await replay.first().click();
      await replay.nth(left - 1).waitFor({ state: 'detached' });
    }
    await page.getByText('Everything was delivered').waitFor();
  });

  it('members of a hive are added and removed, and removing can be undone', async () => {
    const agent = await spawn('Member');
    await open('/hives');
    await button('Make a hive').click();
    await page.getByLabel('Name').fill('Launch team');
    await button('Make it').click();
    await page.getByRole('link', { name: 'Members' }).click();
    await page.getByLabel('Agent', { exact: true }).fill(agent);
    await button('Add').click();
    await button('Remove Member').click();
    await page.getByText('It has no members').waitFor();
    await button('Undo').click();
    await button('Remove Member').waitFor();
  });

  it('an agent that was terminated comes back by way of inactive', async () => {
    await open(`/agents/${await spawn('Retired')}/settings`);
    await button('Terminate…').click();
    await button('Terminate').click();
    await button('Set inactive').click();
    await button('Activate').click();
    await button('Deactivate').waitFor();
    await button('Terminate…').waitFor();
  });

  it('an agent is deleted only by who types its name', async () => {
    const agent = await spawn('Short-lived');
    await open(`/agents/${agent}/settings`);
    await button('Delete Short-lived…').click();
    expect(await button('Delete for good').getAttribute('aria-disabled')).to.equal('true');
    await page.getByLabel('Type “Short-lived” to confirm').fill('Short-lived');
    await page.keyboard.press('Enter');
    await page.getByText('Short-lived is gone').waitFor();
  });

  it('a key that is revoked meanwhile is told of', async () => {
    const { data } = await world.server.api<{ data: { id: string; key: string } }>('POST', '/v1/keys', {
      name: 'brief',
      mode: 'live',
      scopes: ['agent:read'],
    });
    await open('/agents', { ...wide, key: data.key });
    await world.server.api('DELETE', `/v1/keys/${data.id}`);
    await page.getByRole('link', { name: 'Runs' }).click();
    await page.getByText('The service has refused your key').waitFor();
  });

  it('a key that may see nothing is told on every page what it lacks, and meets no error', async () => {
    const { data } = await world.server.api<{ data: { key: string } }>('POST', '/v1/keys', {
      name: 'nothing',
      mode: 'live',
      scopes: ['memory:write'],
    });
    await open('', { ...wide, key: data.key });
    for (const path of ['', '/agents', '/runs', '/memories', '/hives', '/operations', '/operations/audit']) {
      await visit(path);
      expect(await page.getByRole('alert').count(), path).to.equal(0);
      expect(await page.locator('main').textContent(), path).to.match(/lacks/);
    }
    await visit('/agents');
    expect(
      await button('Spawn an agent (your key lacks the scope agent:spawn)').getAttribute('aria-disabled'),
    ).to.equal('true');
  });

  it('whatever agents and peers write is text on every page, and axe finds nothing on any', async () => {
    const agent = await spawn(hostile, {
      description: hostile,
      metadata: { note: hostile },
      config: { instructions: hostile, multi_step: true },
    });
    const answers = await spawn('Answers', { description: hostile, config: { multi_step: true } });
    const run = await startRun(answers, `Say: ${hostile}`);
    await world.server.api('POST', `/v1/agent-constellations/${agent}/messages`, {
      content: hostile,
      metadata: { hostile },
    });
    await world.server.api('POST', '/v1/memories', {
      type: 'semantic',
      content: hostile,
      speaker: hostile,
      agent_id: answers,
      metadata: { hostile },
    });
    const hive = (await world.server.api('POST', '/v1/hives', { name: hostile, description: hostile })).data.id;
    await world.server.api('POST', `/v1/hives/${hive}/agents`, { agent_id: agent });
    await world.server.api('POST', `/v1/hives/${hive}/memories`, {
      agent_id: agent,
      type: 'semantic',
      content: hostile,
    });
    await world.server.api('POST', `/v1/agent-constellations/${agent}/tokens`, {
      name: hostile,
      scopes: ['agent:read'],
    });
    await world.server.api('POST', '/v1/keys', { name: hostile, mode: 'test', scopes: ['memory:read'] });
    const pages = [
      '',
      '/agents',
      `/agents/${agent}`,
      `/agents/${answers}`,
      `/agents/${answers}/memories`,
      `/agents/${agent}/mailbox`,
      `/agents/${answers}/runs`,
      `/agents/${agent}/tokens`,
      `/agents/${agent}/a2a`,
      `/agents/${agent}/settings`,
      `/agents/${answers}/runs/${run}`,
      `/agents/${answers}/runs/${run}/compare/${run}`,
      '/runs',
      '/memories',
      '/hives',
      `/hives/${hive}`,
      `/hives/${hive}/members`,
      `/hives/${hive}/settings`,
      '/operations',
      '/operations/audit',
      '/operations/dead-letters',
      '/operations/events',
      '/operations/data',
      '/operations/server',
      '/nowhere',
    ];
    const found: string[] = [];
    for (const [view, options] of Object.entries({ wide, narrow })) {
      await tab?.close();
      await open('', options);
      for (const path of pages) {
        await visit(path);
        for (const width of view === 'wide' ? [1440, 768] : [390]) {
          await page.setViewportSize({ width, height: 900 });
          for (const problem of await axe(page)) found.push(`${width} ${path}: ${problem}`);
          if ((await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')) > 0)
            found.push(`${width} ${path}: it is wider than the screen`);
        }
      }
      expect(await page.evaluate('window.pwned'), view).to.equal(undefined);
      expect(tab.complaints, view).to.deep.equal([]);
    }
    expect(found).to.deep.equal([]);
  });
});
