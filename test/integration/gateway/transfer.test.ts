/** Export and import import over REST while the service serves. */
import { getAgent, spawnAgent } from '../../../src/commands/agents.js';
import { madeToken } from '../../helpers/minted.js';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { request, type ClientRequest, type IncomingMessage } from 'node:http';
import { expect } from 'chai';
import type { GatewayOptions } from '../../../gateway/options.js';
import { checkExport } from '../../../src/transfer/check.js';
import { caller, eventually, sandboxCaller, testEngine, type TestEngine } from '../../helpers/engine.js';
import { keyPrincipal } from '../../helpers/fake-service.js';
import { rootKey, startGateway, type TestGateway } from '../../helpers/gateway.js';
import { MemoryStore } from '../../helpers/memory-store.js';
import { turn } from '../../helpers/turn.js';
import { StoreError, type Commit, type Store } from '../../../src/store/port.js';
import { listRuns } from '../../../src/commands/runs.js';

const testKey = 'svc_test_box';
const freeKey = 'svc_live_free';
const slowKeys = ['svc_live_slow1', 'svc_live_slow2', 'svc_live_slow3'];
const ndjson = { 'content-type': 'application/x-ndjson' };
const page = { sort: 'created_at', order: 'asc', limit: 100 } as const;

interface Bed {
  bed: TestEngine;
  gateway: TestGateway;
  stop(): Promise<void>;
}

async function start(
  store: Store = new MemoryStore(),
  uploads: GatewayOptions['config']['uploads'] = {},
): Promise<Bed> {
  const bed = await testEngine(store);
  const { authenticate: _, ...service } = bed.engine.service;
  const gateway = await startGateway({
    service,
    config: { uploads },
    credentials: {
      ...Object.fromEntries(
        slowKeys.map((key) => [key, { ...keyPrincipal(['workspace:admin']), workspace: `ws_${key}` }]),
      ),
      [testKey]: { ...keyPrincipal(['workspace:admin']), workspace: sandboxCaller.workspace },
      [freeKey]: { ...keyPrincipal(['workspace:admin']), tier: 'free' },
    },
  });
  return {
    bed,
    gateway,
    async stop() {
      await gateway.stop();
      await bed.engine.stop(0);
    },
  };
}

/** A store that runs something before some commits. */
function interfering(before: (commit: Commit) => Promise<void>): Store {
  return new Proxy(new MemoryStore(), {
    get(target, name) {
      if (name === 'commit') return async (one: Commit) => (await before(one), target.commit(one));
      const value = Reflect.get(target, name, target) as unknown;
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

describe('export and import over REST', () => {
  let from: Bed;
  let agent: string;
  let lines: string;
  before(async () => {
    from = await start();
    const { service } = from.bed.engine;
    agent = (await service.execute(caller, spawnAgent, {}, { name: 'Ada' })).id;
    for (const content of ['the ibis is white', 'the heron is grey'])
      await service.createMemory(caller, { type: 'semantic', content, agent_id: agent });
    await service.createMemory(caller, { type: 'fact', content: 'of the workspace' });
    await madeToken(service, caller, agent, { name: 't', scopes: ['agent:read'] });
    await service.messageAgent(caller, agent, { content: 'what of the ibis?' });
    const answer = await from.gateway.ask('GET', '/v1/export');
    expect(answer.headers.get('content-type')).to.equal('application/x-ndjson');
    lines = answer.text;
  });
  after(() => from.stop());
  const imported = (to: Bed, text = lines, query = '', key = rootKey) =>
    to.gateway.ask('POST', `/v1/import${query}`, text, { ...ndjson, authorization: `Bearer ${key}` });
  const contents = (text: string): string[] =>
    text.split('\n').filter((line) => /"record":"(agent|memory|run|journal)"/.test(line));

  it('the lines are those of a file, complete by their digests, without credentials; one agent alone', async () => {
    const { counts } = await checkExport(Readable.from([Buffer.from(lines)]));
    expect(counts).to.include({ workspace: 1, agent: 1, memory: 3, run: 1 });
    expect(lines).not.to.match(/"record":"(token|key)"/);
    const one = await from.gateway.ask('GET', `/v1/export?agent_id=${agent}`);
    expect(one.text).not.to.include('of the workspace');
    expect((await from.gateway.ask('GET', '/v1/export?agent_id=agent_none')).status).to.equal(404);
    expect((await from.gateway.ask('HEAD', '/v1/export')).status).to.equal(200);
    const behind = await from.gateway.ask('GET', '/v1/export?after=nowhere');
    expect([behind.status, behind.text]).to.satisfy(
      ([code, text]: [number, string]) => code === 400 && /"after"/.test(text),
    );
  });

  it('what was imported is found at once, and what was there stays; twice changes nothing', async () => {
    const to = await start();
    const { service } = to.bed.engine;
    // The index of this agent and that of the workspace are in memory before more is imported.
    await imported(to);
    const own = await service.createMemory(caller, { type: 'semantic', content: 'ibises nest here', agent_id: agent });
    await service.searchMemories(caller, { query: 'ibis' });
    const more = from.bed.engine.service;
    await more.createMemory(caller, { type: 'semantic', content: 'ibis eggs are blue', agent_id: agent });
    const now = (await from.gateway.ask('GET', '/v1/export')).text;
    const report = (await imported(to, now)).body.data as { added: object; present: object };
    expect(report).to.deep.include({ added: { memory: 1 } });
    for (const scope of [{ agent_id: agent }, {}]) {
      const found = await service.searchMemories(caller, { query: 'blue eggs', ...scope });
      expect(found[0]?.content).to.equal('ibis eggs are blue');
    }
    expect((await service.getMemory(caller, own.id)).content).to.equal('ibises nest here');
    expect((await service.execute(caller, getAgent, { id: agent }, {})).memory_count).to.equal(4);
    const before = contents((await to.gateway.ask('GET', '/v1/export')).text);
    expect((await imported(to, now)).body.data).to.deep.include({ added: {}, refused: 0 });
    expect(contents((await to.gateway.ask('GET', '/v1/export')).text)).to.deep.equal(before);
    expect((await imported(to, now, '?new_ids=copy')).body.data).to.have.nested.property('added.agent', 1);
    await to.stop();
  });

  it('commands that cross an import are neither lost nor done twice, nor is anything imported', async () => {
    const held: { go?: () => Promise<unknown> } = {};
    const to = await start(
      interfering(async ({ puts }) => {
        const { go } = held;
        if (!go || !puts.some((put) => put.kind === 'memory' && put.body.content === 'the ibis is white')) return;
        delete held.go;
        await go();
      }),
    );
    const { service } = to.bed.engine;
    await imported(to, (await from.gateway.ask('GET', `/v1/export?agent_id=${agent}`)).text);
    const [first] = (await service.listMemories(caller, { agent_id: agent }, page)).items;
    for (const { id } of (await service.listMemories(caller, { agent_id: agent }, page)).items)
      await service.deleteMemory(caller, id);
    expect(first).to.not.equal(undefined);
    // Between the decision of the import and its commit, the running agent writes.
    held.go = () => service.createMemory(caller, { type: 'semantic', content: 'in between', agent_id: agent });
    const [answer, ...others] = await Promise.all([
      imported(to, lines, '?new_ids=x'),
      ...Array.from({ length: 5 }, (_, n) =>
        service.createMemory(caller, { type: 'semantic', content: `beside it, ${n}`, agent_id: agent }),
      ),
    ]);
    expect(answer.status, answer.text).to.equal(200);
    expect(others).to.have.length(5);
    const all = (await service.listMemories(caller, {}, page)).items.map((m) => m.content);
    expect(new Set(all).size).to.equal(all.length);
    expect(all).to.include.members(['in between', 'the ibis is white', 'beside it, 4']);
    const { memory_count } = await service.execute(caller, getAgent, { id: agent }, {});
    expect(memory_count).to.equal(6);
    await to.stop();
  });

  it('waits while the store is away, and adds everything once', async () => {
    const problems = [
      new StoreError('io', 'away', { away: true }),
      new StoreError('unknown', 'the answer was lost', { away: true }),
    ];
    const to = await start(
      interfering(({ entity }) => {
        const problem = entity.kind === 'agent' ? problems.shift() : undefined;
        return problem ? Promise.reject(problem) : Promise.resolve();
      }),
    );
    const { added, present } = (await imported(to)).body.data as { added: object; present: object };
    expect(problems).to.deep.equal([]);
    expect({ added, present }).to.deep.equal({
      added: { agent: 1, memory: 3, run: 1, journal: 1 },
      present: { workspace: 1 },
    });
    await to.stop();
  });

  it('an agent that works meanwhile goes on, on what it has and on what came', async () => {
    const to = await start();
    await imported(to);
    const { service } = to.bed.engine;
    const writes = Array.from({ length: 20 }, (_, n) => service.messageAgent(caller, agent, { content: `hello ${n}` }));
    const more = from.bed.engine.service;
    await more.createMemory(caller, { type: 'semantic', content: 'storks are white, too', agent_id: agent });
    const text = (await from.gateway.ask('GET', '/v1/export')).text;
    const [answer] = await Promise.all([imported(to, text), ...writes]);
    expect(answer.body.data).to.have.nested.property('added.memory').that.is.at.least(1);
    const runs = await service.execute(caller, listRuns, { id: agent }, { page });
    expect(runs.items.filter((run) => run.status === 'completed')).to.have.length(21);
    const [found] = await service.searchMemories(caller, { query: 'storks', agent_id: agent });
    expect(found?.content).to.equal('storks are white, too');
    await to.stop();
  });

  /** An import that is received, and whose body does not end. */
  const begun = async (to: Bed, key: string): Promise<ClientRequest> => {
    const headers = { ...ndjson, authorization: `Bearer ${key}`, expect: '100-continue' };
    const sending = request(`${to.gateway.url}/v1/import`, { method: 'POST', headers });
    sending.on('error', () => undefined);
    sending.flushHeaders();
    await once(sending, 'continue');
    sending.write(lines.slice(0, 500));
    return sending;
  };

  describe('refuses, and changes nothing', () => {
    let to: Bed;
    before(async () => {
      to = await start();
    });
    after(() => to.stop());
    afterEach(async () => {
      expect(await to.bed.store.sum('default', 'agents')).to.equal(0);
    });
    const tells: Record<string, [() => string, RegExp]> = {
      'what was cut': [() => lines.slice(0, -200), /Line \d+|ends after line/],
      'a changed letter': [() => lines.replace('white', 'black'), /sha256: is not the digest/],
      'something else': [() => '{"results":[]}\n', /Line 1: must be the first line of an export/],
      'a huge line': [() => `${lines.split('\n')[0]}\n${'x'.repeat(17 * 1024 * 1024)}`, /Line 2: is longer/],
      nothing: [() => '', /empty/],
    };
    for (const [name, [make, told]] of Object.entries(tells))
      it(name, async () => {
        const answer = await imported(to, make());
        expect(answer.status, answer.text).to.equal(400);
        const [issue] = answer.body.error!.details['issues'] as { path: string; message: string }[];
        expect(issue?.path).to.equal('body');
        expect(issue?.message).to.match(told);
      });
    it('another media type, and more than is read', async () => {
      expect((await to.gateway.ask('POST', '/v1/import', {})).status).to.equal(415);
      const large = request(`${to.gateway.url}/v1/import`, {
        method: 'POST',
        headers: { ...ndjson, authorization: `Bearer ${rootKey}`, 'content-length': 3 * 1024 ** 3 },
      });
      large.on('error', () => undefined);
      large.flushHeaders();
      const [answer] = (await once(large, 'response')) as [{ statusCode: number }];
      expect(answer.statusCode).to.equal(413);
      large.destroy();
    });
    it('a client that leaves before its end', async () => {
      const cut = await begun(to, rootKey);
      expect((await imported(to, '')).status).to.equal(409);
      cut.destroy();
      await eventually(async () => (await imported(to, '')).status === 400);
    });
    it('test keys', async () => {
      expect((await imported(to, lines, '', testKey)).status).to.equal(400);
      const asked = await to.gateway.ask('GET', '/v1/export', undefined, { authorization: `Bearer ${testKey}` });
      expect(asked.status).to.equal(400);
    });
  });

  it('Lines.T1: a client that sends too slowly is refused, and told what is too slow', async () => {
    const to = await start(new MemoryStore(), { bytesPerSecond: 1_000_000, graceMs: 100 });
    const slow = await begun(to, rootKey);
    const [answer] = (await once(slow, 'response')) as [IncomingMessage];
    let text = '';
    for await (const chunk of answer.setEncoding('utf8')) text += chunk;
    expect([answer.statusCode, text]).to.satisfy(
      ([status, body]: [number, string]) => status === 503 && /too slowly: send at least 1000000 bytes/.test(body),
    );
    slow.destroy();
    expect((await imported(to)).status, 'a fast one').to.equal(200);
    await to.stop();
  });

  it('Lines.T1: what is longer than the setting allows is refused, also without a Content-Length', async () => {
    const to = await start(new MemoryStore(), { most: 1000 });
    const answer = await imported(to);
    expect(answer.body.error).to.deep.include({ code: 'PAYLOAD_TOO_LARGE', details: { limit: 1000 } });
    const chunked = await begun(to, rootKey);
    chunked.write(lines);
    const [told] = (await once(chunked, 'response')) as [IncomingMessage];
    expect(told.statusCode).to.equal(413);
    chunked.destroy();
    await to.stop();
  });

  it('who sends all of a body that is too long before reading gets the answer', async () => {
    const to = await start(new MemoryStore(), { most: 1000 });
    const { hostname, port } = new URL(to.gateway.url);
    const socket = connect(Number(port), hostname).pause();
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
    const head = ['POST /v1/import HTTP/1.1', 'Host: localhost', `Authorization: Bearer ${rootKey}`];
    socket.write(
      `${[...head, 'Content-Type: application/x-ndjson', 'Transfer-Encoding: chunked'].join('\r\n')}\r\n\r\n`,
    );
    for (let sent = 0; sent < 8 * 1024 * 1024; sent += 0x10000) if (!socket.write(chunk)) await once(socket, 'drain');
    socket.write('0\r\n\r\n');
    let text = '';
    for await (const piece of socket.setEncoding('utf8')) text += piece;
    expect(text).to.match(/^HTTP\/1.1 413 [^]*PAYLOAD_TOO_LARGE/);
    await to.stop();
  });

  it('clients that send slowly keep nobody else from an import', async () => {
    const to = await start();
    const slow = await Promise.all(slowKeys.map((key) => begun(to, key)));
    for (const key of slowKeys) expect((await imported(to, '', '', key)).status).to.equal(409);
    expect((await imported(to)).status).to.equal(200);
    for (const one of slow) one.destroy();
    await to.stop();
  });

  it('a workspace reads two exports at a time, however they end', async () => {
    const { exportRecords } = from.bed.engine.service;
    const asked = await Promise.allSettled([1, 2, 3].map(() => exportRecords(caller, {})));
    expect(asked.map(({ status }) => status)).to.deep.equal(['fulfilled', 'fulfilled', 'rejected']);
    expect(await from.gateway.ask('GET', '/v1/export')).to.include({ status: 503 });
    for (const one of asked) if (one.status === 'fulfilled') await one.value[Symbol.asyncIterator]().return?.();
    for (let i = 0; i < 3; i++)
      for (const method of ['HEAD', 'GET'])
        expect((await from.gateway.ask(method, '/v1/export')).status, method).to.equal(200);
  });

  it('the storage of the tier holds', async () => {
    const to = await start();
    const full = to.bed.store.head({ workspace: 'default', kind: 'workspace', id: 'default' }) as never as Commit;
    await to.bed.store.commit({
      ...full,
      seq: full.seq + 1,
      counts: { ...full.counts, bytes: 100 * 1024 * 1024 },
      puts: [],
      deletes: [],
      records: [],
      previousCounts: full.counts,
    });
    const answer = await imported(to, lines, '', freeKey);
    expect(answer.body.error?.code, answer.text).to.equal('QUOTA_EXCEEDED');
    await to.stop();
  });

  it('an export is cut when its key is revoked', async () => {
    let isValid = true;
    let left = false;
    const gateway = await startGateway({
      service: {
        stillValid: () => isValid,
        exportRecords: () =>
          Promise.resolve(
            (async function* () {
              try {
                for (;;) {
                  yield `${'x'.repeat(100_000)}\n`;
                  await turn();
                }
              } finally {
                left = true;
              }
            })(),
          ),
      },
    });
    const response = await fetch(`${gateway.url}/v1/export`, { headers: { authorization: `Bearer ${rootKey}` } });
    const rest = response.text().then(
      () => 'ended',
      () => 'cut',
    );
    isValid = false;
    await gateway.ask('DELETE', '/v1/keys/key_test');
    expect(await rest).to.equal('cut');
    expect(left, 'its source is let go').to.equal(true);
    await gateway.stop();
  });

  it('a store that fails on the way cuts the answer, whose last record is missing', async () => {
    const to = await start();
    await imported(to);
    const { store } = to.bed;
    const contents = store.contents.bind(store);
    store.contents = async function* (entity) {
      for await (const part of contents(entity)) {
        yield part;
        if (entity.kind === 'agent') throw new Error(`lost ${randomUUID()}`);
      }
    };
    const cut = await to.gateway.ask('GET', '/v1/export').then(
      ({ text }) => text,
      () => 'cut',
    );
    expect(cut).not.to.include('"record":"end"');
    await to.stop();
  });
});
