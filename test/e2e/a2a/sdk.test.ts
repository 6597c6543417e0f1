/**
 * The official JavaScript clients of three generations against a running server: what each does, as its users do it
 * (docs/api.md 4.2; a2a.md).
 */
import { expect } from 'chai';
import { until } from '../api/support/client.js';
import { startCuttingProxy } from './support/cutting-proxy.js';
import { peer02, withGlobalFetch } from './support/peer-0.2.js';
import { peer03 } from './support/peer-0.3.js';
import { peer1, peer1Http } from './support/peer-1.0.js';
import type { PeerClient, Seen, SeenFrame } from './support/peer.js';
import { freshId } from './support/rpc.js';
import { a2aWorld, onward } from './support/world.js';

const world = a2aWorld();
const { api, as, server, thinking, quick, think, asking } = world;
const addressOf = (agent: string, base = server().url): string => `${base}/api/v1/a2a/agents/${agent}`;

async function failure(promise: Promise<unknown>): Promise<Error> {
  try {
    await promise;
  } catch (error) {
    return error as Error;
  }
  return expect.fail('it succeeded');
}
const all = async (events: AsyncIterable<SeenFrame>): Promise<SeenFrame[]> => {
  const frames: SeenFrame[] = [];
  for await (const frame of events) frames.push(frame);
  return frames;
};

/** Reads beside the test, and keeps what came and how it ended. */
function reading(events: AsyncIterable<SeenFrame>): { frames: SeenFrame[]; end: Promise<Error | null> } {
  const frames: SeenFrame[] = [];
  const end = (async () => {
    try {
      for await (const frame of events) frames.push(frame);
      return null;
    } catch (error) {
      return error as Error;
    }
  })();
  return { frames, end };
}

/** The text of each artifact as the protocol says how: chunks with `append` go on, others replace. */
function putTogether(frames: readonly SeenFrame[]): string[] {
  const artifacts = new Map<string, string>();
  for (const frame of frames)
    if (frame.kind === 'artifact')
      artifacts.set(
        frame.artifactId,
        frame.append ? `${artifacts.get(frame.artifactId) ?? ''}${frame.output}` : frame.output,
      );
  return [...artifacts.values()];
}

const lastState = (frames: readonly SeenFrame[]): string | undefined =>
  frames
    .map((f) => (f.kind === 'task' ? f.task.state : f.kind === 'status' ? f.state : undefined))
    .findLast((s) => s !== undefined);

describe('A2A: the official clients', () => {
  world.hooks();

  for (const peer of [peer02, peer03, peer1, peer1Http])
    describe(`of ${peer.name}`, () => {
      if (peer === peer02) withGlobalFetch();
      const open = (agent: string, key = api.key): Promise<PeerClient> => peer.connect(addressOf(agent), key);
      const settled = (client: PeerClient, id: string, state: string): Promise<Seen> =>
        until(
          () => client.get(id),
          (t) => t.state === state,
        );

      /** Of a task whose client named no context: over 1.0 its conversation, before that the agent. */
      const contextOf = (agent: string): RegExp => (peer.generation === '1.0' ? /^sess_/ : new RegExp(`^${agent}$`));

      it('finds the card, by its default path and every other way', async () => {
        const agent = await quick();
        for (const [name, connect] of Object.entries({ 'the default path': peer.connect, ...peer.ways })) {
          expect(await (await connect(addressOf(agent), api.key)).card(), name).to.deep.equal({
            name: 'Ada',
            streaming: true,
            push: true,
            url: addressOf(agent),
          });
        }
        const found = await peer.connect(addressOf(agent), api.key);
        expect((await found.sendAndWait({ text: 'hello' })).state).to.equal('completed');
      });

      it('sends, and has the answer of an agent that is not multi-step', async () => {
        const agent = await quick();
        const client = await open(agent);
        await api.one(
          'POST',
          '/v1/memories',
          { type: 'semantic', content: 'The kettle whistles at noon.', agent_id: agent },
          201,
        );
        const task = await client.sendAndWait({ text: 'What does the kettle do?' });
        expect(task.state).to.equal('completed');
        expect(task.contextId).to.match(contextOf(agent));
        expect(task.id).to.match(/^run_/);
        expect(task.output).to.contain('whistles');
        expect(task.artifacts).to.deep.equal([{ artifactId: `${task.id}-response`, name: 'response' }]);
        expect(task.history[0]).to.equal('What does the kettle do?');
        expect(await client.get(task.id)).to.deep.equal(task);
        expect((await client.get(task.id, 0)).history).to.deep.equal([]);
        expect(await api.one('GET', `/v1/agent-constellations/${agent}/runs/${task.id}`)).to.include({
          status: 'completed',
          triggeredBy: 'a2a',
          input: 'What does the kettle do?',
        });
      });

      it('sends to a multi-step agent and polls to the end', async () => {
        const client = await open(await thinking());
        const task = await client.send({ text: 'think about it' });
        expect(task).to.include({ state: 'working', output: null });
        expect((await client.get(task.id)).state).to.equal('working');
        await think(onward);
        await asking();
        expect((await client.get(task.id)).state).to.equal('working');
        await think({ text: 'forty-two' });
        expect(await settled(client, task.id, 'completed')).to.include({ id: task.id, output: 'forty-two' });
      });

      it('sends an image, which the model is given, and the built-in reasoner refuses', async () => {
        const image = { name: 'cat.png', mediaType: 'image/png', bytes: 'iVBORw0KGgo=' };
        const client = await open(await thinking());
        const waiting = client.sendAndWait({ text: 'Who is it?', image });
        await think({ text: 'a cat' });
        expect(await waiting).to.include({ state: 'completed', output: 'a cat' });
        expect(world.thinker().asked.at(-1))
          .to.contain('Who is it?\\n[file cat.png (image/png)]')
          .and.contain('"url":"data:image/png;base64,iVBORw0KGgo="');
        const text = await open(await quick());
        expect((await failure(text.send({ text: 'Who is it?', image }))).message).to.contain(
          'Incompatible content types',
        );
      });

      it('waits for a multi-step agent where it asks to', async () => {
        const client = await open(await thinking());
        const waiting = client.sendAndWait({ text: 'think about it' });
        await think(onward);
        await think({ text: 'forty-two' });
        expect(await waiting).to.include({ state: 'completed', output: 'forty-two' });
      });

      it('streams the answer as it is written; whoever puts its chunks together has it once', async function () {
        this.timeout(10_000);
        const agent = await thinking();
        const client = await open(agent);
        const { frames, end } = reading(client.stream({ text: 'think about it' }));
        const shows = (text: string | undefined): Promise<unknown> =>
          until(
            async () => putTogether(frames).at(-1),
            (shown) => shown === text,
          );
        await asking();
        world.thinker().write('I look it ');
        await shows('I look it ');
        world.thinker().write('up.');
        await shows('I look it up.');
        await think(onward); // then it was no answer
        await asking();
        await shows('');
        world.thinker().write('Twenty-');
        await shows('Twenty-');
        world.thinker().cut(); // the model server breaks off, and is asked again
        await shows('');
        await asking();
        world.thinker().write('Forty-');
        await shows('Forty-');
        const { id } = (frames[0] as { task: Seen }).task;
        const again = reading(client.resubscribe(id));
        await until(
          async () => again.frames.length,
          (n) => n > 0,
        );
        world.thinker().write('two, ');
        await until(
          async () => [frames, again.frames].map((seen) => putTogether(seen).at(-1)),
          (shown) => shown.every((text) => text === 'Forty-two, '),
        );
        await think({ text: 'as ever.' });
        for (const seen of [{ frames, end }, again]) {
          expect(await seen.end).to.equal(null);
          expect(putTogether(seen.frames)).to.deep.equal(['Forty-two, as ever.']);
          expect(seen.frames.at(-2)).to.include({ kind: 'artifact', append: false, lastChunk: true });
        }
        for (const frame of frames.slice(1, -2))
          if (frame.kind === 'artifact')
            expect(frame).to.include({ artifactId: `${id}-response`, name: 'response', lastChunk: false });
        expect((await client.get(id)).output).to.equal('Forty-two, as ever.');
      });

      it('streams: the task, what the agent thinks, the artifact, the end', async () => {
        const agent = await thinking();
        const { frames, end } = reading((await open(agent)).stream({ text: 'think about it' }));
        await until(
          async () => frames.length,
          (n) => n > 0,
        );
        await think(onward);
        await asking();
        await until(
          async () => frames.some((f) => f.kind === 'status' && f.says !== null),
          (said) => said,
        );
        await think({ text: 'forty-two' });
        expect(await end).to.equal(null);
        const [first, ...rest] = frames;
        const artifact = rest.at(-2);
        const last = rest.at(-1);
        expect(first).to.nested.include({ kind: 'task', 'task.state': 'working' });
        const { id, contextId } = (first as { task: Seen }).task;
        expect(contextId).to.match(contextOf(agent));
        for (const frame of rest) expect(frame).to.include({ taskId: id, contextId });
        expect(artifact).to.include({
          kind: 'artifact',
          artifactId: `${id}-response`,
          name: 'response',
          output: 'forty-two',
          lastChunk: true,
        });
        expect(last).to.include({ kind: 'status', state: 'completed', final: true });
        for (const frame of rest.slice(0, -2))
          expect(frame).to.include({ kind: 'status', state: 'working', final: false });
      });

      it('comes back to a stream that was cut, and follows the task to its end', async () => {
        const agent = await thinking();
        const proxy = await startCuttingProxy(() => server().url);
        try {
          const client = await peer.connect(addressOf(agent, proxy.url), api.key);
          const before = reading(client.stream({ text: 'think about it' }));
          await until(
            async () => before.frames.length,
            (n) => n > 0,
          );
          const { id } = (before.frames[0] as { task: Seen }).task;
          await asking();
          proxy.cut();
          await before.end;
          expect(lastState(before.frames)).to.equal('working');
          const after = reading(client.resubscribe(id));
          await until(
            async () => after.frames.length,
            (n) => n > 0,
          );
          expect(after.frames[0]).to.nested.include({ kind: 'task', 'task.id': id, 'task.state': 'working' });
          await think({ text: 'forty-two' });
          expect(await after.end).to.equal(null);
          expect(after.frames.slice(-2)).to.have.nested.property('[0].output', 'forty-two');
          expect(after.frames.at(-1)).to.include({ kind: 'status', state: 'completed', final: true });
        } finally {
          await proxy.close();
        }
      });

      it('resubscribes to a task that has ended: told and closed, or refused as its version says', async () => {
        const client = await open(await quick());
        const task = await client.sendAndWait({ text: 'hello' });
        if (peer.tellsEndedTask) expect(await all(client.resubscribe(task.id))).to.deep.equal([{ kind: 'task', task }]);
        else expect(peer.codeOf(await failure(all(client.resubscribe(task.id))))).to.equal(-32004);
      });

      it('cancels, once', async () => {
        const client = await open(await thinking());
        const task = await client.send({ text: 'think for ever' });
        const stream = reading(client.resubscribe(task.id));
        await asking();
        await until(
          async () => stream.frames.length,
          (n) => n > 0,
        );
        expect(await client.cancel(task.id)).to.include({ id: task.id, state: 'canceled' });
        expect(await stream.end).to.equal(null);
        expect(stream.frames.at(-1)).to.include({ kind: 'status', state: 'canceled', final: true });
        await until(
          async () => world.thinker().waiting,
          (n) => n === 0,
        );
        expect((await client.get(task.id)).state).to.equal('canceled');
        expect(peer.codeOf(await failure(client.cancel(task.id)))).to.equal(-32002);
        const done = await (await open(await quick())).sendAndWait({ text: 'hello' });
        expect(peer.codeOf(await failure(client.cancel(done.id))), "another agent's task").to.equal(-32001);
      });

      it('is told of every change by push, with its token, in the form of its version', async () => {
        const client = await open(await thinking());
        const receiver = world.receiver();
        const path = `/${freshId()}`;
        const config = { url: receiver.url(path), token: 'a token of mine', id: 'mine' };
        const task = await client.send({ text: 'think about it' });
        expect(await client.setPush(task.id, config)).to.deep.equal(config);
        expect(await client.getPush(task.id, 'mine')).to.deep.equal(config);
        if (client.listPush) expect(await client.listPush(task.id)).to.deep.equal([config]);
        await think({ tool: 'ask_human', arguments: { question: 'Which one?' } });
        await settled(client, task.id, 'input-required');
        await client.send({ text: 'the red one', taskId: task.id });
        await think({ text: 'red it is' });
        await settled(client, task.id, 'completed');
        const pushed = await until(
          async () => receiver.taken(path),
          (p) => p.some((d) => peer.pushedState(d.body) === 'completed'),
        );
        expect(pushed.map((d) => peer.pushedState(d.body))).to.deep.equal(['input-required', 'working', 'completed']);
        for (const { headers, body } of pushed) {
          expect(peer.pushedId(body)).to.equal(task.id);
          expect(headers).to.include({ 'x-a2a-notification-token': config.token });
          expect(headers['content-type']).to.match(peer.pushContentType);
        }
        if (client.deletePush && client.listPush) {
          await client.deletePush(task.id, 'mine');
          expect(await client.listPush(task.id)).to.deep.equal([]);
        }
      });

      it('registers a push with its message', async () => {
        const client = await open(await quick());
        const receiver = world.receiver();
        const path = `/${freshId()}`;
        const task = await client.sendAndWait({ text: 'hello', push: { url: receiver.url(path), token: 't' } });
        const pushed = await until(
          async () => receiver.taken(path),
          (p) => p.some((d) => peer.pushedState(d.body) === 'completed'),
        );
        for (const { body, headers } of pushed)
          expect([peer.pushedId(body), headers['x-a2a-notification-token']]).to.deep.equal([task.id, 't']);
        const [config] = client.listPush ? await client.listPush(task.id) : [await client.getPush(task.id)];
        expect(config).to.include({ url: receiver.url(path), token: 't' });
      });

      it('answers what it is asked, and the task goes on under its id', async () => {
        const client = await open(await thinking());
        const stream = reading(client.stream({ text: 'which one do I like?' }));
        await think({ tool: 'ask_human', arguments: { question: 'Red or blue?' } });
        expect(await stream.end, 'the question ends the stream').to.equal(null);
        expect(stream.frames.at(-1)).to.include({ state: 'input-required', says: 'Red or blue?', final: true });
        const { id } = (stream.frames[0] as { task: Seen }).task;
        expect(await client.get(id)).to.include({ state: 'input-required', says: 'Red or blue?' });
        const again = reading(client.resubscribe(id));
        await until(
          async () => again.frames.length,
          (frames) => frames > 0,
        );
        const gone = await client.send({ text: 'red', taskId: id });
        expect(gone).to.include({ id, state: 'working' });
        await asking();
        expect(world.thinker().asked.at(-1)).to.contain('red');
        await think({ text: 'you like red' });
        const done = await settled(client, id, 'completed');
        expect(done.output).to.equal('you like red');
        expect(done.history).to.include.members(['which one do I like?', 'red']);
        expect(await again.end, 'whoever followed the question hears of what came after it').to.equal(null);
        expect(again.frames.at(-1)).to.include({ state: 'completed', final: true });
      });

      it('raises its own errors', async () => {
        const agent = await quick();
        const client = await open(agent);
        const done = await client.sendAndWait({ text: 'hello' });
        const code = async (promise: Promise<unknown>): Promise<number | null> => peer.codeOf(await failure(promise));
        expect(await code(client.get('run_nothing'))).to.equal(-32001);
        expect(await code(client.cancel('run_nothing'))).to.equal(-32001);
        expect(await code(all(client.resubscribe('run_nothing')))).to.equal(-32001);
        expect(await code(client.send({ text: 'more', taskId: 'run_nothing' }))).to.equal(-32001);
        expect(await code(client.send({ text: 'more', taskId: done.id }))).to.equal(peer.toEndedTask);
        expect(await code(all(client.stream({ text: 'more', taskId: done.id })))).to.equal(peer.toEndedTask);
        expect(await code(client.setPush('run_nothing', { url: world.receiver().url('/x'), token: 't' }))).to.equal(
          -32001,
        );
        for (const url of [
          'http://127.0.0.1:1/x',
          'https://127.0.0.1/x',
          'https://user:word@example.org/x',
          'https://169.254.169.254/latest',
          'ftp://example.org/x',
        ]) {
          expect(await code(client.setPush(done.id, { url, token: 't' })), url).to.equal(-32602);
          expect(await code(client.send({ text: 'hello', push: { url, token: 't' } })), url).to.equal(-32602);
        }
        expect(
          (await api.page(`/v1/agent-constellations/${agent}/runs`)).data,
          'refused messages make no task',
        ).to.have.lengthOf(1);
        const weak = String(
          (await api.one('POST', '/v1/keys', { name: 'reader', mode: 'live', scopes: ['agent:read'] }, 201))['key'],
        );
        const reader = await open(agent, weak);
        expect(await reader.get(done.id)).to.include({ state: 'completed' });
        // over HTTP+JSON the SDK reads the envelope of the answer; over JSON-RPC it tells the status alone
        const why = (await failure(reader.send({ text: 'hello' }))).message;
        expect(why).to.contain(peer === peer1Http ? 'lacks the scope' : '403');
        expect((await failure(open(agent, 'svc_live_nobody'))).message).to.contain('401');
        await as(weak).refused('DELETE', `/v1/agents/${agent}`, undefined, 'INSUFFICIENT_SCOPE');
      });

      if (peer.generation === '1.0')
        it('lists tasks, newest first', async () => {
          const client = await open(await quick());
          const ids: string[] = [];
          for (const text of ['one', 'two', 'three']) ids.unshift((await client.sendAndWait({ text })).id);
          const first = await client.listTasks!(2, '');
          const second = await client.listTasks!(2, first.next);
          expect([first, second].flatMap((p) => p.tasks.map((t) => t.id))).to.deep.equal(ids);
          expect([first.total, second.next]).to.deep.equal([3, '']);
          for (const task of first.tasks) expect(task).to.include({ state: 'completed', output: null });
        });
    });
});
