/** Pushes that were given up: listed, and sent again on demand, over HTTP and by the command line beside the server. */
import { expect } from 'chai';
import { cli, type CliResult } from '../../helpers/cli.js';
import { everyItem, until, type Json } from '../api/support/client.js';
import { freshId, say, stateOf } from './support/rpc.js';
import { a2aWorld } from './support/world.js';

const world = a2aWorld({ HIVEKEEP_PUSH_TRIES: '2', HIVEKEEP_PUSH_RETRY_SECONDS: '0.05' });
const { api, quick } = world;
const lettersAt = '/v1/push/dead-letters';
const push = (...args: string[]): Promise<CliResult> => cli(['push', ...args], world.server().beside);
/** The receiver's own secret is in the query, which no list shows. */
const withQuery = (path: string): string => `${path}?secret=1`;
const statesAt = (path: string): string[] =>
  world
    .receiver()
    .taken(withQuery(path))
    .map((d) => stateOf(d.body));

/** A task whose two changes nobody took; its letters, oldest first. */
async function twoLetters(path: string): Promise<{ agent: string; id: string; letters: Json[] }> {
  const agent = await quick();
  world.receiver().always(withQuery(path), 500);
  const { id } = (await world.rpc(agent).result(
    'message/send',
    say('hello', {
      configuration: { pushNotificationConfig: { url: world.receiver().url(withQuery(path)), token: 't' } },
    }),
  )) as { id: string };
  const letters = await until(
    async () => (await everyItem(api, lettersAt, 100)).filter((l) => l['task_id'] === id),
    (l) => l.length === 2,
  );
  world.receiver().always(withQuery(path), null);
  return { agent, id, letters: letters.reverse() };
}

describe('A2A: pushes that were given up', function suite() {
  this.timeout(20_000);
  world.hooks();

  it('are listed after their last try, newest first, and say why', async () => {
    const path = `/${freshId()}`;
    const { agent, id, letters } = await twoLetters(path);
    for (const letter of letters) {
      expect(letter).to.include({ agent_id: agent, task_id: id, tries: 2, url: world.receiver().url(path) });
      expect(letter['reason']).to.contain('500');
    }
    expect(letters.map((l) => l['status'])).to.deep.equal(['running', 'completed']);
    const page = await api.page(`${lettersAt}?page_size=1`);
    expect(page.data).to.deep.equal([letters[1]]);
    expect(page.pagination).to.include({ has_more: true });
  });

  it('are delivered when they are replayed over HTTP, once', async () => {
    const path = `/${freshId()}`;
    const { letters } = await twoLetters(path);
    for (const [i, { id }] of letters.entries()) {
      const answer = await api.ask('POST', `${lettersAt}/${String(id)}/replay`, {});
      expect(answer.status, answer.text).to.equal(202);
      await until(
        async () => statesAt(path),
        (s) => s.length === i + 1,
      );
      await api.refused('POST', `${lettersAt}/${String(id)}/replay`, {}, 'NOT_FOUND');
    }
    expect(statesAt(path)).to.deep.equal(['working', 'completed']);
    expect(world.receiver().taken(withQuery(path))[0]!.headers).to.include({ 'x-a2a-notification-token': 't' });
    const left = (await everyItem(api, lettersAt, 100)).map((l) => l['id']);
    for (const { id } of letters) expect(left).to.not.include(id);
  });

  it('are there after kill -9, and are replayed by the command line beside the running server', async () => {
    const path = `/${freshId()}`;
    const { letters } = await twoLetters(path);
    const [first, second] = letters.map((l) => String(l['id'])) as [string, string];
    await world.killed();
    const listed = await push('list');
    expect(listed.stderr).to.equal('');
    for (const part of [first, second, world.receiver().url(path)]) expect(listed.stdout).to.contain(part);
    expect(listed.stdout).to.not.contain('secret');
    const json = JSON.parse((await push('list', '--json')).stdout) as Json[];
    expect(json.map((l) => l['id'])).to.include.members([first, second]);
    expect((await push('replay', first)).code).to.equal(0);
    await until(
      async () => statesAt(path),
      (s) => s.length === 1,
    );
    expect((await push('replay', '--all')).code).to.equal(0);
    await until(
      async () => statesAt(path),
      (s) => s.length === 2,
    );
    expect(statesAt(path)).to.deep.equal(['working', 'completed']);
    await until(
      async () => (await api.page(lettersAt)).data.filter((l) => [first, second].includes(String(l['id']))),
      (l) => l.length === 0,
    );
    const unknown = await push('replay', first);
    expect(unknown.code).to.equal(1);
    expect(unknown.stderr).to.contain(first);
  });
});
