/**
 * The monthly quota as a client meets it (docs/api.md 6.3, 8.1, 8.4). Workspaces come with most of their month used up,
 * which is written beside the running server as the command line does: nobody creates half a million memories in a
 * test.
 */
import { expect } from 'chai';
import type { Tier } from '../../../src/domain/vocabulary.js';
import { usedWorkspace } from '../../helpers/stored.js';
import { type Api, everyItem, type Json, served, until } from './support/client.js';

const { server, as, hooks } = served(() => ({}));

/** A workspace of this tier with a live and a sandbox key, in which so many memories of this month count already. */
async function workspace(name: string, tier: Tier, used: number): Promise<{ live: Api; test: Api }> {
  const store = await server().openStore();
  try {
    const key = await usedWorkspace(store, name, tier, used);
    return { live: as(await key('live')), test: as(await key('test')) };
  } finally {
    await store.close();
  }
}

const fact = (content: string, more: Json = {}): Json => ({ type: 'semantic', content, ...more });

/** So many writes, 80 at a time (a team key has 100 places); the statuses of their answers, and the last refusal. */
async function write(
  api: Api,
  count: number,
  context: (i: number) => Json = () => ({}),
): Promise<{ statuses: Record<number, number>; refusal: Json | undefined }> {
  const statuses: Record<number, number> = {};
  let refusal: Json | undefined;
  let next = 0;
  await Promise.all(
    Array.from({ length: 80 }, async () => {
      for (let i = next++; i < count; i = next++) {
        const answer = await api.ask('POST', '/v1/memories', fact(`n${i}`, context(i)));
        statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
        if (answer.status === 403) refusal = answer.body.error as unknown as Json;
      }
    }),
  );
  return { statuses, refusal };
}

describe('black box: the monthly quota', function suite() {
  this.timeout(30_000);
  hooks();

  it('200 writes at once for the last 100 places: exactly 100 are created, the others 403 with the numbers', async () => {
    const { live } = await workspace('exact', 'team', 499_900);
    const agents: string[] = [];
    for (const name of ['a', 'b'])
      agents.push(String((await live.one('POST', '/v1/agents/spawn', { name }, 201))['id']));
    const { statuses, refusal } = await write(live, 200, (i) => (i % 3 === 2 ? {} : { agent_id: agents[i % 3] }));
    expect(statuses).to.deep.equal({ 201: 100, 403: 100 });
    const usage = await live.one('GET', '/v1/usage');
    expect(usage).to.deep.include({ used: 500_000, limit: 500_000, remaining: 0, mode: 'live' });
    expect(refusal).to.deep.include({
      code: 'QUOTA_EXCEEDED',
      status: 403,
      details: { limit: 500_000, used: 500_000, cycle: usage['cycle'], scope: 'workspace' },
    });
    expect((usage['by_agent'] as Json[]).map((a) => a['used'])).to.satisfy(
      (used: number[]) => used.length === 2 && used.every((n) => n > 0),
    );
    expect(
      ((await live.one('GET', `/v1/usage?agent_id=${agents[0]!}`))['by_agent'] as Json[]).map((a) => a['agent_id']),
    ).to.deep.equal([agents[0]]);
    await live.refused('GET', '/v1/usage?agent_id=agent_none', undefined, 'NOT_FOUND');
    const one = (await live.page('/v1/memories?page_size=1')).data[0]!;
    await live.one('DELETE', `/v1/memories/${String(one['id'])}`);
    expect((await write(live, 5)).statuses).to.deep.equal({ 201: 1, 403: 4 });
    await live.one(
      'POST',
      '/v1/memories',
      fact('short-term', { expires_at: new Date(Date.now() + 3_600_000).toISOString() }),
      201,
    );
  });

  it('exact after kill -9 in the middle of writing', async () => {
    const { live } = await workspace('killed', 'team', 499_900);
    const writing = write(live, 95).then(
      ({ statuses }) => statuses[201] ?? 0,
      () => 0,
    );
    const usage = (): Promise<number> =>
      live.one('GET', '/v1/usage').then(
        (u) => Number(u['used']),
        () => 0,
      );
    await until(usage, (used) => used > 499_900);
    await server().kill('SIGKILL');
    await writing;
    await server().restart();
    const created = (await everyItem(live, '/v1/memories', 100)).length;
    expect(await usage()).to.equal(499_900 + created);
    expect((await write(live, 120)).statuses).to.deep.equal({ 201: 100 - created, 403: 20 + created });
    expect(await usage()).to.equal(500_000);
  });

  it('the sandbox is apart, with its own limit', async () => {
    const { live, test } = await workspace('apart', 'team', 500_000);
    await live.refused('POST', '/v1/memories', fact('no'), 'QUOTA_EXCEEDED');
    await test.one('POST', '/v1/memories', fact('yes'), 201);
    expect(await test.one('GET', '/v1/usage')).to.deep.include({ mode: 'test', used: 1, limit: 100, remaining: 99 });
  });

  it('alerts come on /v1/events at 80 and 95 %, each once', async () => {
    const { live } = await workspace('alerted', 'pro', 47_498);
    const gone = new AbortController();
    const response = await fetch(`${live.url}/v1/events?types=usage`, {
      headers: { authorization: `Bearer ${live.key}` },
      signal: gone.signal,
    });
    const heard: { type: string; data: Json }[] = [];
    const listening = (async () => {
      let text = '';
      for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
        text += chunk;
        for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
          const data = /^data: (.*)$/m.exec(text.slice(0, end))?.[1];
          if (data !== undefined) heard.push(JSON.parse(data) as { type: string; data: Json });
          text = text.slice(end + 2);
        }
      }
    })().catch(() => undefined);
    await live.one('POST', '/v1/memories', fact('one'), 201);
    await until(
      async () => heard.length,
      (n) => n === 1,
    );
    for (const content of ['two', 'three', 'four']) await live.one('POST', '/v1/memories', fact(content), 201);
    await until(
      async () => heard.length,
      (n) => n === 2,
    );
    for (const content of ['five', 'six']) await live.one('POST', '/v1/memories', fact(content), 201);
    const { cycle } = await live.one('GET', '/v1/usage');
    expect(heard.map((e) => [e.type, e.data['percent']])).to.deep.equal([
      ['usage.alert', 80],
      ['usage.alert', 95],
    ]);
    expect(heard[1]!.data)
      .to.deep.include({ limit: 50_000, mode: 'live', cycle })
      .and.have.property('used')
      .at.least(47_500);
    gone.abort();
    await listening;
  });
});
