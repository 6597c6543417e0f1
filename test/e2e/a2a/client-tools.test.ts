/**
 * Tools of the client over A2A (docs/tools.md): the task is input-required with a data part of the calls, and a message
 * with a data part of their results answers it. By the official client of each version, and as bytes without one.
 */
import { expect } from 'chai';
import type { Json } from '../api/support/client.js';
import { peer02, withGlobalFetch } from './support/peer-0.2.js';
import { peer03 } from './support/peer-0.3.js';
import { peer1, peer1Http } from './support/peer-1.0.js';
import type { PeerClient, SeenFrame } from './support/peer.js';
import { say, say1, stateOf, v1 } from './support/rpc.js';
import { a2aWorld } from './support/world.js';

const world = a2aWorld();
const { api, server, think } = world;
const weather = {
  kind: 'client',
  name: 'weather',
  description: 'The weather.',
  input_schema: { type: 'object', properties: { city: { type: 'string' } } },
};
const asks = { tool: 'weather', arguments: { city: 'Rome' } };
const question = 'waits for the results of weather';

interface Asked {
  id: string;
  calls: { id: string; name: string; arguments: Json }[];
}

describe('A2A: tools of the client', () => {
  world.hooks();
  const agentWith = (): Promise<string> => world.thinking({ tools: [weather] });

  for (const peer of [peer02, peer03, peer1, peer1Http])
    describe(`by the official client of ${peer.name}`, () => {
      if (peer === peer02) withGlobalFetch();
      const open = async (): Promise<PeerClient> =>
        peer.connect(`${server().url}/api/v1/a2a/agents/${await agentWith()}`, api.key);
      const code = (asked: Promise<unknown>): Promise<number | null> =>
        asked.then(
          () => null,
          (error: unknown) => peer.codeOf(error),
        );

      it('are asked for in a data part, and answered by one', async () => {
        const client = await open();
        const sent = client.sendAndWait({ text: 'How is it?' });
        await think(asks);
        const { id, state, says, asks: data } = await sent;
        expect({ state, says }).to.deep.equal({ state: 'input-required', says: question });
        const [asked] = data as Asked[];
        expect(asked?.calls).to.deep.equal([{ id: `${id}.1.1`, name: 'weather', arguments: { city: 'Rome' } }]);
        expect(data).to.have.length(1);
        expect((await client.get(id)).asks).to.deep.equal(data);
        const answer = (given: Json): Promise<unknown> => client.sendAndWait({ text: '', taskId: id, data: given });
        const result = { id: `${id}.1.1`, content: 'sunny' };
        for (const wrong of [{ results: [] }, { results: [{ ...result, id: 'other' }] }, { results: [result, result] }])
          expect(await code(answer(wrong)), JSON.stringify(wrong)).to.equal(-32602);
        expect(await code(client.sendAndWait({ text: 'sunny', taskId: id }))).to.equal(-32602);
        expect((await client.get(id)).state).to.equal('input-required');
        const answered = answer({ results: [result] });
        await think({ text: 'It is sunny in Rome.' });
        expect(await answered).to.include({ id, state: 'completed', output: 'It is sunny in Rome.' });
        expect(world.thinker().asked.at(-1)).to.include('sunny');
        expect(await code(answer({ results: [result] }))).to.equal(peer.toEndedTask);
      });

      it('end a stream, and one goes on with what a tool says has failed', async () => {
        const client = await open();
        const frames: SeenFrame[] = [];
        const reading = (async () => {
          for await (const frame of client.stream({ text: 'How is it?' })) frames.push(frame);
        })();
        await think(asks);
        await reading;
        const last = frames.at(-1);
        if (last?.kind !== 'status') return expect.fail(JSON.stringify(last));
        expect(last).to.deep.include({ state: 'input-required', says: question, final: true });
        const [asked] = last.asks as Asked[];
        const { taskId } = last;
        expect(asked?.calls[0]?.id).to.equal(`${taskId}.1.1`);
        const data = { results: [{ id: `${taskId}.1.1`, error: 'no such city' }] };
        const next: SeenFrame[] = [];
        const going = (async () => {
          for await (const frame of client.stream({ text: '', taskId, data })) next.push(frame);
        })();
        await think({ text: 'I do not know.' });
        await going;
        expect(next.at(-1)).to.include({ kind: 'status', state: 'completed', final: true });
        expect(world.thinker().asked.at(-1)).to.include('failed: no such city');
        return undefined;
      });
    });

  const results = (id: string): Json => ({ results: [{ id: `${id}.1.1`, content: 'sunny' }] });
  for (const [version, begun, answer, headers] of [
    ['0.2 and 0.3', say, (id: string) => ({ kind: 'data', data: results(id) }), {}],
    ['1.0', say1, (id: string) => ({ data: results(id) }), v1],
  ] as const)
    it(`are these bytes in ${version}`, async () => {
      const one = version === '1.0';
      const rpc = world.rpc(await agentWith());
      const method = one ? 'SendMessage' : 'message/send';
      const task = async (params: Json): Promise<Json> => {
        const result = await rpc.result(method, params, headers);
        return (one ? result['task'] : result) as Json;
      };
      const configuration = one ? {} : { blocking: true };
      const sent = task(begun('How is it?', { configuration }));
      await think(asks);
      const paused = await sent;
      const id = String(paused['id']);
      expect(stateOf(paused)).to.equal(one ? 'TASK_STATE_INPUT_REQUIRED' : 'input-required');
      const { parts } = (paused['status'] as { message: { parts: Json[] } }).message;
      const [first, second] = parts;
      const { id: asked, ...data } = second?.['data'] as Json;
      expect(asked).to.be.a('string').and.not.equal('');
      expect([first, { ...second, data }]).to.deep.equal([
        one ? { text: question } : { kind: 'text', text: question },
        {
          ...(!one && { kind: 'data' }),
          data: { calls: [{ id: `${id}.1.1`, name: 'weather', arguments: { city: 'Rome' } }] },
        },
      ]);
      const message = { ...(begun('', { taskId: id })['message'] as Json), parts: [answer(id)] };
      const done = task({ message, configuration });
      await think({ text: 'It is sunny.' });
      expect(stateOf(await done)).to.equal(one ? 'TASK_STATE_COMPLETED' : 'completed');
    });
});
