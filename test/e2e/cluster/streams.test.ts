/**
 * Streams of a cluster: followed at any gateway, gone on with at the other without a gap or a double, ended with their
 * key at both.
 */
import { expect } from 'chai';
import { WebSocket } from 'ws';
import { peer02, withGlobalFetch } from '../a2a/support/peer-0.2.js';
import { peer03 } from '../a2a/support/peer-0.3.js';
import { peer1 } from '../a2a/support/peer-1.0.js';
import type { SeenFrame } from '../a2a/support/peer.js';
import { say, say1, v1 } from '../a2a/support/rpc.js';
import { onward } from '../a2a/support/world.js';
import { type Json, until } from '../api/support/client.js';
import { clusterWorld } from './support.js';
import { openEvents } from './events.js';
import { patient } from '../../helpers/patience.js';

const world = clusterWorld();
const { at, thinking, rpc } = world;
const of = (agent: string): string => `/v1/agent-constellations/${agent}`;
const think = async (thought: Parameters<ReturnType<typeof world.thinker>['release']>[0]): Promise<void> => {
  await until(
    async () => world.thinker().waiting,
    (n) => n > 0,
  );
  world.thinker().release(thought);
};
const from = (first: number, count: number): number[] => Array.from({ length: count }, (_, i) => first + i);

describe('cluster: streams', function suite() {
  this.timeout(60_000);
  world.hooks();
  withGlobalFetch();

  it('a run is followed at both gateways at once, and gone on with at the other by Last-Event-ID', async () => {
    const agent = await thinking();
    const run = String((await at(0).one('POST', `${of(agent)}/runs`, { input: 'go' }, 202))['id']);
    const path = `${of(agent)}/runs/${run}/events`;
    const both = await Promise.all([0, 1].map((n) => openEvents(at(n), path)));
    await think(onward);
    const cut = await openEvents(at(0), path);
    await until(
      async () => cut.ids.length,
      (n) => n >= 3,
    );
    cut.close();
    await think(onward);
    const later = await openEvents(at(1), path, cut.ids.at(-1));
    await think({ text: 'forty-two' });
    for (const events of [...both, later]) await events.end();
    expect(both[0]!.ids).to.deep.equal(from(1, both[0]!.ids.length));
    expect(both[1]!.text).to.deep.equal(both[0]!.text);
    expect([...cut.ids, ...later.ids], 'neither gap nor double').to.deep.equal(both[0]!.ids);
    expect(both[0]!.data.at(-1)).to.deep.include({ type: 'status', status: 'completed' });
  });

  it('the text of an answer is told at both gateways while it is written, and the answer once', async () => {
    const agent = await thinking();
    const run = String((await at(0).one('POST', `${of(agent)}/runs`, { input: 'go' }, 202))['id']);
    const both = await Promise.all([0, 1].map((n) => openEvents(at(n), `${of(agent)}/runs/${run}/events`)));
    const shown = (data: readonly Json[]): string =>
      data
        .filter((event) => event['type'] === 'delta')
        .reduce((text, event) => `${event['append'] === true ? text : ''}${String(event['text'])}`, '');
    await until(
      async () => world.thinker().waiting,
      (n) => n > 0,
    );
    let told = '';
    for (const text of ['forty', '-two']) {
      world.thinker().write(text);
      told += text;
      await until(
        async () => both.map(({ data }) => shown(data)),
        (texts) => texts.every((text) => text === told),
      );
    }
    await think({ text: '!' });
    for (const events of both) {
      await events.end();
      expect(events.ids).to.deep.equal(from(1, events.ids.length));
      const answers = events.data.filter((event) => event['type'] === 'answer');
      expect(answers.map((event) => event['content'])).to.deep.equal(['forty-two!']);
    }
  });

  it('the workspace is followed at one gateway, whichever the other and whichever worker it is about', async () => {
    const events = await openEvents(at(1), '/v1/events');
    const agents = await Promise.all(
      [0, 1, 0, 1].map((n) => at(n).one('POST', '/v1/agents/spawn', { name: 'seen' }, 201)),
    );
    await until(
      async () => agents.filter((a) => events.text.includes(String(a['id']))).length,
      (told) => told === agents.length,
    );
    expect(
      events.data.filter(
        (e) => e['type'] === 'agent.created' && agents.some((a) => JSON.stringify(e).includes(String(a['id']))),
      ),
    ).to.have.lengthOf(agents.length);
    events.close();
  });

  for (const [name, send, resubscribe, words, headers] of [
    ['tasks/resubscribe', 'message/stream', 'tasks/resubscribe', say, {}],
    ['SubscribeToTask', 'SendStreamingMessage', 'SubscribeToTask', say1, v1],
  ] as const) {
    it(`${name} at the other gateway goes on after Last-Event-ID`, async () => {
      const agent = await thinking();
      const stream = await rpc(0, agent).stream(send, words('go'), headers);
      await think(onward);
      await until(
        async () => stream.frames.length,
        (n) => n >= 3,
      );
      const [first] = stream.frames;
      const task = String(first!.result['id'] ?? (first!.result['task'] as Json | undefined)?.['id']);
      stream.cut();
      await stream.closed;
      await think(onward);
      const again = await rpc(1, agent).stream(
        resubscribe,
        { id: task },
        { ...headers, 'last-event-id': String(stream.ids.at(-1)) },
      );
      await think({ text: 'forty-two' });
      await again.end();
      const whole = await openEvents(at(0), `${of(agent)}/runs/${task}/events`);
      await whole.end();
      expect(again.ids[0], 'the task itself is no event').to.equal(null);
      const ids = [...stream.ids, ...again.ids.slice(1)];
      expect(ids).to.deep.equal(from(1, ids.length));
      expect(ids.at(-1), 'as many as the run has').to.be.at.least(whole.ids.at(-1)!);
    });
  }

  for (const peer of [peer02, peer03, peer1]) {
    it(`the official client of ${peer.generation} begins at one gateway and resubscribes at the other`, async () => {
      const agent = await thinking();
      const path = `/api/v1/a2a/agents/${agent}`;
      const key = world.cluster().key;
      const [one, other] = [await peer.connect(at(0).url + path, key), await peer.connect(at(1).url + path, key)];
      const begun = one.stream({ text: 'go' })[Symbol.asyncIterator]();
      const first = (await begun.next()).value as SeenFrame;
      const task = first.kind === 'task' ? first.task.id : '';
      expect((await other.get(task)).id).to.equal(task);
      const seen: SeenFrame[] = [];
      const following = (async () => {
        for await (const frame of other.resubscribe(task)) seen.push(frame);
      })();
      await until(
        async () => seen.length,
        (n) => n > 0,
      );
      await think(onward);
      await until(
        async () => seen.length,
        (n) => n > 1,
      );
      await begun.return?.();
      await think({ text: 'forty-two' });
      await following;
      expect(seen[0]).to.include({ kind: 'task' });
      expect(seen.filter((f) => f.kind === 'artifact').map((f) => f.output)).to.deep.equal(['forty-two']);
      expect(seen.at(-1)).to.include({ kind: 'status', state: 'completed', final: true });
      const says = seen.flatMap((f) => (f.kind === 'status' && f.says ? [f.says] : []));
      const thoughts = (await at(0).page(`${of(agent)}/thoughts?order=asc`)).data.map((t) => String(t['content']));
      expect(thoughts.slice(-says.length), 'every thought since, once').to.deep.equal(says);
    });
  }

  it('a key that is revoked at one gateway ends what it has open at both, within 2 s', async () => {
    const agent = await thinking();
    const key = await at(0).one('POST', '/v1/keys', { name: 'k', mode: 'live' }, 201);
    const secret = String(key['key']);
    const run = String((await at(0).one('POST', `${of(agent)}/runs`, { input: 'go' }, 202))['id']);
    const open = await Promise.all(
      [0, 1].flatMap((n) => [
        openEvents(at(n, secret), '/v1/events'),
        openEvents(at(n, secret), `${of(agent)}/runs/${run}/events`),
      ]),
    );
    const tasks = await Promise.all([0, 1].map((n) => rpc(n, agent, secret).stream('tasks/resubscribe', { id: run })));
    const sockets = await Promise.all(
      [0, 1].map((n) => socket(`${at(n).url.replace('http', 'ws')}/v1/events`, secret)),
    );
    const others = await openEvents(at(1), '/v1/events');
    const since = Date.now();
    await at(0).one('DELETE', `/v1/keys/${String(key['id'])}`);
    const codes = await Promise.all(sockets.map((s) => s.closed));
    await Promise.all([...open.map((e) => e.end()), ...tasks.map((t) => t.closed)]);
    expect(Date.now() - since).to.be.below(patient(2500));
    for (const e of open) expect(e.text).to.include('was revoked or has expired');
    expect(codes).to.deep.equal([1008, 1008]);
    expect(others.ended, 'the streams of other keys go on').to.equal(false);
    others.close();
  });
});

/** A WebSocket that is open, and the code with which it will be closed. */
async function socket(url: string, key: string): Promise<{ closed: Promise<number> }> {
  const ws = new WebSocket(url, { headers: { authorization: `Bearer ${key}` } });
  await new Promise<void>((resolve, reject) => {
    ws.once('open', resolve);
    ws.once('error', reject);
  });
  return {
    closed: new Promise((resolve) => {
      ws.once('close', resolve);
    }),
  };
}
