/** Tools that the service calls by HTTP. test/unit/push has where a call may go. */
import { getAgent, replaceAgent, spawnAgent } from '../../../src/commands/agents.js';
import { listAudit } from '../../../src/commands/keys.js';
import { expect } from 'chai';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AgentTool } from '../../../src/domain/agent/agent-tools.js';
import type { Push } from '../../../src/push/port.js';
import { answers, call, caller, does, eventually, type Script, pushTo } from '../../helpers/engine.js';
import { StoreError } from '../../../src/store/port.js';
import { exportLines } from '../../../src/transfer/export.js';
import { newestFirst, overStores, runIn } from './kit.js';
import { listRuns, cancelRun } from '../../../src/commands/runs.js';
import { listCheckpoints } from '../../../src/commands/journals.js';

interface Seen {
  key: string | undefined;
  secret: string | undefined;
  body: string;
  answer: (status: number, body: string | Buffer) => void;
  cut: () => void;
}

const script: Script = ({ transcript, run: { input } }) =>
  transcript.length > 0
    ? answers(
        transcript
          .flat()
          .map(({ ok, result }) => `${ok} ${result}`)
          .join('; '),
      )
    : does(...input.split(' ').map((name, n) => call('use_tool', { name, input: JSON.stringify({ n }) })));

overStores('Tools by HTTP', (bed) => {
  let server: Server;
  let port: number;
  let seen: Seen[];
  let push: Push;
  beforeEach(async () => {
    seen = [];
    server = createServer((request: IncomingMessage, response: ServerResponse) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        seen.push({
          key: request.headers['idempotency-key'] as string | undefined,
          secret: request.headers['x-secret'] as string | undefined,
          body,
          answer: (status, text) => response.writeHead(status).end(text),
          cut: () => response.destroy(),
        });
      });
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    port = (server.address() as AddressInfo).port;
    push = pushTo([`127.0.0.1:${port}`]);
  });
  afterEach(async () => {
    await push.close();
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  });

  const tool = (name: string, more: object = {}): AgentTool => ({
    kind: 'http',
    name,
    description: name,
    url: `http://127.0.0.1:${port}/${name}`,
    ...more,
  });
  const nth = (n: number): Promise<Seen> => eventually(async () => seen[n - 1], `call ${n}`);
  const begin = async (input: string, tools: AgentTool[], more: object = {}) => {
    const e = await bed.start(script, { push });
    const { id } = await e.service.execute(
      caller,
      spawnAgent,
      {},
      { name: 'Ada', config: { multi_step: true, tools, ...more } },
    );
    const run = (await e.service.startRun(caller, id, { input })).id;
    return { e, id, run };
  };

  it('are called in their order with a key and a secret, which nothing shows', async () => {
    const secret = { header: 'X-Secret', value: 'Bearer s3cr3t' };
    const { e, id, run } = await begin('a b', [tool('a', { secret }), tool('b', { keyed: false })]);
    const first = await nth(1);
    expect(first).to.include({ key: `${run}.1.1`, secret: 'Bearer s3cr3t', body: '{"n":0}' });
    first.answer(200, '{"ok":1}');
    const second = await nth(2);
    expect(second).to.include({ key: undefined, secret: undefined, body: '{"n":1}' });
    second.answer(500, 'broken');
    expect((await runIn(e, id, run, 'completed')).output).to.contain(
      'true {"ok":1}; false the server answered 500: broken',
    );
    const agent = await e.service.execute(caller, getAgent, { id }, {});
    const shown = [JSON.stringify(agent)];
    for await (const line of exportLines(bed.store, { workspace: 'default', credentials: true, now: 0 }))
      shown.push(line);
    expect(shown.join()).to.include('X-Secret').and.not.include('"value"');
    expect(
      JSON.stringify((await bed.store.head({ workspace: 'default', kind: 'agent', id }))?.snapshot),
    ).to.not.include('s3cr3t');
    // sent back as it was read, it keeps the secret
    await e.service.execute(caller, replaceAgent, { id }, { config: agent.config });
    await e.service.startRun(caller, id, { input: 'a' });
    expect((await nth(3)).secret).to.equal('Bearer s3cr3t');
  });

  for (const [what, more, again] of [
    ['keyed', {}, true],
    ['only reading', { keyed: false, reads_only: true }, true],
    ['neither', { keyed: false }, false],
  ] as const)
    it(`after a kill in the middle, a call that is ${what} is ${again ? 'made again' : 'not made again'}`, async () => {
      const { e, id, run } = await begin('a b', [tool('a', more), tool('b')]);
      const first = await nth(1);
      e.kill();
      const next = await bed.start(script, { push });
      if (again) {
        const second = await nth(2);
        expect(second).to.include({ key: first.key, body: first.body });
        second.answer(200, 'done');
      }
      (await nth(again ? 3 : 2)).answer(200, 'b done');
      const came = again ? 'true done' : 'false it is not known whether this took effect';
      expect((await runIn(next, id, run, 'completed')).output).to.contain(`${came}; true b done`);
      expect(seen.map(({ body }) => body)).to.deep.equal(
        again ? ['{"n":0}', '{"n":0}', '{"n":1}'] : ['{"n":0}', '{"n":1}'],
      );
    });

  it('killed at any point, a call that must not repeat is made at most once, and none is forgotten', async () => {
    const answered: Seen[] = [];
    const answering = setInterval(() => {
      for (const each of seen.splice(0)) {
        answered.push(each);
        each.answer(200, 'done');
      }
    }, 1).unref();
    try {
      const tools = [tool('once', { keyed: false }), tool('keyed')];
      for (let turns = 0; turns < 60; turns += 3) {
        answered.length = 0;
        const { e, id, run } = await begin('once keyed', tools);
        for (let n = 0; n < turns; n++) await new Promise((next) => setImmediate(next));
        e.kill();
        const next = await bed.start(script, { push });
        const { output } = await runIn(next, id, run, 'completed');
        await next.engine.stop(0);
        const once = answered.filter(({ body }) => body === '{"n":0}').length;
        const keyed = answered.filter(({ key }) => key === `${run}.1.2`).length;
        expect(once, `${turns}: ${output}`).to.be.oneOf(output?.includes('true done; true') ? [1] : [0, 1]);
        expect(keyed, `${turns}: ${output}`).to.be.greaterThan(0);
        expect(output).to.match(/(true done|false it is not known whether this took effect); true done$/);
      }
    } finally {
      clearInterval(answering);
    }
  });

  it('are made where it was not known whether their decision was stored, because they have not gone out (AgentTools.T2)', async () => {
    const { store } = bed;
    const commit = store.commit.bind(store);
    let lost = 0;
    store.commit = async (one) => {
      const outcome = await commit(one);
      if (lost > 0 || !one.puts.some(({ kind, body }) => kind === 'run' && JSON.stringify(body).includes('"calling"')))
        return outcome;
      lost++;
      throw new StoreError('unknown', 'the answer to a commit was lost');
    };
    const e = await bed.start(script, { push });
    const config = { multi_step: true, tools: [tool('once', { keyed: false })] };
    const { id } = await e.service.execute(caller, spawnAgent, {}, { name: 'Ada', config });
    // who asked is told that it is not known where the call was decided on in the commit that began the run
    await e.service.startRun(caller, id, { input: 'once' }).catch(() => undefined);
    (await nth(1)).answer(200, 'done');
    const [run] = (await e.service.execute(caller, listRuns, { id }, { page: newestFirst })).items;
    expect((await runIn(e, id, run!.id, 'completed')).output).to.equal('true done');
    expect([lost, seen.length]).to.deep.equal([1, 1]);
  });

  it('that die, answer too much or hang are told to the reasoner; a cancelled run hears nothing more', async () => {
    const tools = [tool('a', { keyed: false }), tool('b'), tool('c', { keyed: false, timeout_seconds: 1 })];
    const { e, id, run } = await begin('a b c', tools);
    (await nth(1)).cut();
    (await nth(2)).answer(200, Buffer.alloc(10 * 1024 * 1024, 'x'));
    expect((await runIn(e, id, run, 'completed')).output).to.contain(
      [
        'false the connection was closed before there was an answer; it is not known whether this took effect',
        'false the answer is longer than 262144 bytes',
        'false no answer within 1 s; it is not known whether this took effect',
      ].join('; '),
    );
    const { id: other } = await e.service.startRun(caller, id, { input: 'a' });
    await nth(4);
    await e.service.execute(caller, cancelRun, { id, runId: other });
    const [last] = (
      await e.service.execute(caller, listCheckpoints, { id }, { runId: other, page: { limit: 5 } as never })
    ).items;
    expect(last?.calls[0]).to.include({ ok: false, result: 'it is not known whether this took effect' });
  });

  it('go nowhere that the guard refuses, and wait for approval like any action', async () => {
    const { e, id, run } = await begin('a', [tool('a')], { validation_gate: 'action' });
    await runIn(e, id, run, 'paused');
    expect(seen).to.have.length(0);
    await e.service.resumeRun(caller, id, run, { decision: 'approve' });
    (await nth(1)).answer(200, 'fine');
    expect((await runIn(e, id, run, 'completed')).output).to.contain('true fine');
    const inside = { ...tool('x'), url: 'http://10.0.0.1/' };
    const refused = await e.service
      .execute(caller, spawnAgent, {}, { name: 'Bo', config: { tools: [inside] } })
      .catch((error: unknown) => (error as Error).message);
    expect(refused).to.equal('config.tools.0.url: must be an https URL');
  });

  it('are tried by people over the same path, with a record in the audit log; a repeat has the same key', async () => {
    const secret = { header: 'X-Secret', value: 's3cr3t' };
    const input_schema = { type: 'object' as const, properties: { n: { type: 'number' } }, required: ['n'] };
    const e = await bed.start(script, { push });
    const tools: AgentTool[] = [
      tool('a', { secret, input_schema, keyed: false }),
      tool('b'),
      { kind: 'client', name: 'c', description: '' },
    ];
    const { id } = await e.service.execute(
      caller,
      spawnAgent,
      {},
      { name: 'Ada', config: { tools, validation_gate: 'action' } },
    );
    const failure = (name: string, args: Record<string, unknown>, who = caller) =>
      e.service.tryTool(who, id, name, { arguments: args }).catch(({ code }: { code: string }) => code);
    expect(await failure('a', { n: 'one' })).to.equal('VALIDATION_ERROR');
    expect(await failure('c', {})).to.equal('CONFLICT');
    expect(await failure('d', {})).to.equal('NOT_FOUND');
    expect(await failure('a', { n: 1 }, { ...caller, workspace: 'other' })).to.equal('NOT_FOUND');
    const log = async () =>
      (
        await e.service.execute(
          caller,
          listAudit,
          {},
          { action: 'tool.called', page: { sort: 'created_at', order: 'asc', limit: 9 } },
        )
      ).items;
    expect(await log(), 'nothing was called').to.deep.equal([]);
    const tried = e.service.tryTool(caller, id, 'a', { arguments: { n: 1 } });
    const first = await nth(1);
    expect(first).to.include({ key: undefined, secret: 's3cr3t', body: '{"n":1}' });
    const [record] = await log();
    expect(record).to.include({
      action: 'tool.called',
      name: 'a',
      agent_id: id,
      actor: caller.credentialId,
      credential_id: null,
    });
    first.answer(200, 'sunny');
    expect(await tried).to.include({ id: record!.id, ok: true, result: 'sunny' });
    for (const [n, name] of [
      [2, 'b'],
      [3, 'b'],
    ] as const) {
      const again = e.service.tryTool(
        { ...caller, idempotencyKey: { id: 'once', bodyHash: 'h', replayed: false } },
        id,
        name,
        {},
      );
      (await nth(n)).answer(500, 'broken');
      expect(await again).to.include({ ok: false, result: 'the server answered 500: broken' });
    }
    expect(seen[2]!.key).to.equal(seen[1]!.key);
    expect(await log()).to.have.length(2);
  });
});
