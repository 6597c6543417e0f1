/**
 * Clients of the revisions before 2026-07-28 that can ask their user (docs/mcp.md): they are asked on the stream of
 * their call, and POST the answer (McpElicitation, in gateway/mcp/elicitation.ts).
 */
import { expect } from 'chai';
import { streamMessages } from '../../../src/mcp/event-stream.js';
import { until, type Json } from '../api/support/client.js';
import { connect, connectSdk1, type Connection, type Person, textOf } from './support/clients.js';
import { firstOf, postEarlier as post, sessionOf } from './support/wire.js';
import { mcpWorld } from './support/world.js';

const world = mcpWorld();
const { api, think, asking, at, mint, opened } = world;
const question = { tool: 'ask_human', arguments: { question: 'Red or blue?' } };

type Result = Awaited<ReturnType<Awaited<ReturnType<typeof connect>>['callTool']>>;

describe('MCP: questions to clients of 2025-11-25', function () {
  this.timeout(30_000);
  world.hooks();
  const runOf = (agent: string, { id }: Json): Promise<Json> =>
    api.one('GET', `/v1/agent-constellations/${agent}/runs/${String(id)}`);
  const message = { name: 'ask_agent', arguments: { message: 'Paint it' } };

  /** Both lines of the official client, each with a person who answers. */
  const lines: [string, (to: Connection, person: Person) => Promise<() => Promise<Result>>][] = [
    [
      'the current one',
      async (to, person) => {
        const client = await opened(connect(to, { legacy: true, person }));
        return () => client.callTool(message);
      },
    ],
    [
      'that of the line before',
      async (to, person) => {
        const client = await opened(connectSdk1(to, person));
        return () => client.callTool(message) as Promise<Result>;
      },
    ],
  ];

  for (const [name, line] of lines) {
    it(`the official client, ${name}, asks its user, question after question, and gets the end of the run`, async () => {
      const asked: string[] = [];
      const ask = await line(at(await world.thinking()), (text) => {
        asked.push(text);
        return { action: 'accept', content: { answer: `blue ${asked.length}` } };
      });
      const answer = ask();
      await think(question);
      await think({ tool: 'ask_human', arguments: { question: 'Which blue?' } });
      await think({ text: 'It is blue now.' });
      expect((await answer).structuredContent).to.include({ status: 'completed', output: 'It is blue now.' });
      expect(asked.map((text) => text.replace(/^.*asks: /, ''))).to.deep.equal(['Red or blue?', 'Which blue?']);
      expect(world.thinker().asked.at(-1)).to.include('blue 1').and.include('blue 2');
    });

    for (const [action, told] of [
      ['decline', 'The user declined'],
      ['cancel', 'closed the question'],
    ] as const)
      it(`${name}: the run stays paused where the user answers with ${action}, and the result says so`, async () => {
        const agent = await world.thinking();
        const answer = (await line(at(agent), () => ({ action })))();
        await think(question);
        const result = await answer;
        expect(textOf(result)).to.include(told);
        const run = result.structuredContent as Json;
        expect(run).to.include({ status: 'paused' });
        expect(await runOf(agent, run)).to.include({ status: 'paused' });
      });
  }

  it('asks for approval only who may decide', async () => {
    const agent = await world.thinking({ validation_gate: 'answer' });
    const token = await mint(agent, ['agent:mcp', 'agent:spawn', 'agent:read']);
    const approves: Person = () => ({ action: 'accept', content: { decision: 'approve' } });
    const [, current] = lines[0]!;
    const may = (await current(at(agent), approves))();
    await think({ text: 'said' });
    expect((await may).structuredContent).to.include({ status: 'completed', output: 'said' });
    const mayNot = (await current(at(agent, token), approves))();
    await think({ text: 'said' });
    expect((await mayNot).structuredContent).to.include({ status: 'paused' });
  });

  describe('on the wire', () => {
    /** The id of the session of a client that can do this. */
    const sessionWith = (to: Connection, elicitation?: object): Promise<string | null> =>
      sessionOf(to, elicitation ? { elicitation } : {});
    /** A call whose run asks, cut off once it has asked: what was asked. */
    const askedThenCut = async (
      to: Connection,
    ): Promise<{ session: string; id: unknown; run: () => Promise<Json> }> => {
      const session = (await sessionWith(to, {})) ?? '';
      const cut = new AbortController();
      const call = post(to, { id: 5, method: 'tools/call', params: message }, session, cut.signal);
      await think(question);
      const { id, method, params } = await firstOf(await call);
      expect(method).to.equal('elicitation/create');
      expect(params).to.have.nested.property('requestedSchema.properties.answer');
      cut.abort();
      const agent = to.url.split('/').pop() ?? '';
      const run = async (): Promise<Json> =>
        (await api.page(`/v1/agent-constellations/${agent}/runs`)).data[0] as unknown as Json;
      return { session, id, run };
    };
    const answer = (id: unknown, text: string): Json => ({
      id,
      result: { action: 'accept', content: { answer: text } },
    });

    it('a session begins for clients that can ask by a form, and for no other (McpElicitation.Q1)', async () => {
      const to = at(await world.quick());
      for (const able of [{}, { form: {} }, { form: {}, url: {} }])
        expect(await sessionWith(to, able)).to.be.a('string');
      for (const unable of [undefined, { url: {} }]) expect(await sessionWith(to, unable)).to.equal(null);
    });

    it('a session of another endpoint, or that is none, is one of a client that cannot be asked', async () => {
      const [agent, other] = [await world.thinking(), await world.quick()];
      for (const session of [await sessionWith(at(other), {}), 'x', undefined]) {
        const call = post(at(agent), { id: 5, method: 'tools/call', params: message }, session);
        await think(question);
        const { result } = (await firstOf(await call)) as { result: Json };
        expect(result['structuredContent']).to.include({ status: 'paused' });
      }
    });

    it('the answer resumes the run after the call is gone and the process killed, and no second one does (Q2)', async () => {
      const agent = await world.thinking();
      const { session, id, run } = await askedThenCut(at(agent));
      expect(await run()).to.include({ status: 'paused' });
      await world.killed();
      expect((await post(at(agent), answer(id, 'blue'), session)).status).to.equal(202);
      await asking();
      expect(world.thinker().asked.at(-1)).to.include('blue');
      expect((await post(at(agent), answer(id, 'green'), session)).status).to.equal(202);
      await think(question);
      await until(run, ({ status }) => status === 'paused');
      expect((await post(at(agent), answer(id, 'green'), session)).status).to.equal(202);
      expect(await run()).to.include({ status: 'paused' });
    });

    for (const [kind, config, thought, unfit] of [
      ['a question', {}, question, { answer: 5 }],
      ['a decision', { validation_gate: 'answer' }, { text: 'said' }, { answer: 'blue' }],
    ] as const)
      it(`an answer that does not fit ${kind} is told to the call as that, and may be given again (Q4)`, async () => {
        const to = at(await world.thinking(config));
        const session = (await sessionWith(to, {})) ?? '';
        const call = post(to, { id: 5, method: 'tools/call', params: message }, session);
        await think(thought);
        const told = streamMessages((await call).body!)[Symbol.asyncIterator]();
        const { id } = (await told.next()).value as Json;
        const answered = await post(to, { id, result: { action: 'accept', content: unfit } }, session);
        expect(answered.status).to.equal(202);
        const { result } = (await told.next()).value as { result: Result };
        expect(textOf(result)).to.include('does not fit');
        expect(result.structuredContent).to.include({ status: 'paused' });
        const fitting = kind === 'a decision' ? { decision: 'approve' } : { answer: 'blue' };
        expect((await post(to, { id, result: { action: 'accept', content: fitting } }, session)).status).to.equal(202);
        await until(
          () => runOf(to.url.split('/').pop() ?? '', result.structuredContent as Json),
          ({ status }) => status !== 'paused',
        );
      });

    it('an answer with an id that is not ours, of another agent, without the scope, or too long changes nothing (Q3)', async () => {
      const [agent, other] = [await world.thinking(), await world.quick()];
      const { session, id, run } = await askedThenCut(at(agent));
      const key = String(
        (await api.one('POST', '/v1/keys', { name: 'k', mode: 'live', scopes: ['memory:read'] }, 201))['key'],
      );
      const forged = `${String(id).split('.')[0]}.AAAAAAAAAAAAAAAAAAAAAA`;
      expect((await post(at(agent), answer(forged, 'blue'), session)).status).to.equal(202);
      expect((await post(at(other), answer(id, 'blue'), session)).status).to.equal(202);
      expect((await post(at(agent, key), answer(id, 'blue'), session)).status).to.equal(403);
      expect((await post(at(agent), { id, result: { action: 'accept', content: { answer: 5 } } })).status).to.equal(
        202,
      );
      // longer than what a run takes over REST
      expect((await post(at(agent), answer(id, 'x'.repeat(256 * 1024 + 1)), session)).status).to.equal(202);
      expect((await post(at(agent), { id, error: { code: -1, message: 'no user' } })).status).to.equal(202);
      expect(await run()).to.include({ status: 'paused' });
    });
  });
});
