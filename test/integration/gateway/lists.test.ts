/** Pages and cursors over HTTP (docs/api.md 4.1), and where event streams start. */
import { expect } from 'chai';
import type { PageOf, PageRequest } from '../../../src/service.js';
import { fixtures, keyPrincipal } from '../../helpers/fake-service.js';
import { rootKey, startGateway, type Answer, type TestGateway } from '../../helpers/gateway.js';

const otherKey = 'svc_live_other';
const items = Array.from({ length: 45 }, (_, i) => ({ ...fixtures.memory, id: `mem_${String(i).padStart(2, '0')}` }));

/** A list as a service keeps it: positions are ids. */
async function memories(_caller: unknown, _filter: object, page: PageRequest): Promise<PageOf<typeof fixtures.memory>> {
  const ordered = page.order === 'asc' ? items : [...items].reverse();
  const from = page.after ? ordered.findIndex((item) => item.id === page.after?.[0]) + 1 : (page.offset ?? 0);
  const slice = ordered.slice(from, from + page.limit);
  return {
    items: slice,
    next: from + page.limit < ordered.length ? [slice.at(-1)?.id ?? ''] : null,
    total: items.length,
  };
}

describe('gateway: lists', () => {
  let gateway: TestGateway;
  before(async () => {
    gateway = await startGateway({
      credentials: { [otherKey]: keyPrincipal(undefined, 'ws_other') },
      commands: {
        listAgents: async () => ({ items: [], next: ['agent_1'], total: 3 }),
        listSharedMemories: (caller, _hive, input) => memories(caller, {}, (input as { page: PageRequest }).page),
      },
      service: {
        listMemories: memories,
      },
    });
  });
  after(() => gateway.stop());
  beforeEach(() => {
    gateway.calls.length = 0;
  });

  const cursorOf = (answer: Answer): string => answer.body.pagination?.next_cursor ?? '';
  /** As a method of the service gets it, or a command in its input. */
  const pageAsked = (): PageRequest => {
    const args = (gateway.calls.at(-1)?.args ?? []).flatMap((arg) =>
      typeof arg === 'object' && arg !== null ? ('page' in arg ? [arg.page] : [arg]) : [],
    );
    const { ordered: _, ...page } = args.find((arg) => 'limit' in (arg as object)) as PageRequest;
    return page;
  };

  it('takes a cursor with another page size', async () => {
    const cursor = cursorOf(await gateway.ask('GET', '/v1/memories?page_size=5'));
    const next = await gateway.ask('GET', `/v1/memories?page_size=2&cursor=${cursor}`);
    expect((next.body.data as { id: string }[]).map((item) => item.id)).to.deep.equal(['mem_39', 'mem_38']);
  });

  describe('refuses a cursor', () => {
    let cursor: string;
    before(async () => {
      cursor = cursorOf(await gateway.ask('GET', '/v1/memories?type=semantic&agent_id=agent_1'));
    });
    const refuse = async (path: string, headers: Record<string, string> = {}): Promise<void> => {
      const answer = await gateway.ask('GET', path, undefined, headers);
      expect([answer.status, answer.body.error?.details.issues?.[0]?.path], path).to.deep.equal([400, 'cursor']);
    };
    it('its own list takes it', async () =>
      expect(
        (
          await gateway.ask(
            'GET',
            `/v1/memories?agent_id=agent_1&type=semantic&cursor=${cursor}&sort=created_at&order=desc`,
          )
        ).status,
      ).to.equal(200));
    it('of another filter', () => refuse(`/v1/memories?type=semantic&agent_id=agent_2&cursor=${cursor}`));
    it('without its filter', () => refuse(`/v1/memories?cursor=${cursor}`));
    it('of another order', () => refuse(`/v1/memories?type=semantic&agent_id=agent_1&order=asc&cursor=${cursor}`));
    it('of another sort', () => refuse(`/v1/memories?type=semantic&agent_id=agent_1&sort=updated_at&cursor=${cursor}`));
    it('of another list', () => refuse(`/v1/hives/hive_1/memories?cursor=${cursor}`));
    it('of another workspace', () =>
      refuse(`/v1/memories?type=semantic&agent_id=agent_1&cursor=${cursor}`, { authorization: `Bearer ${otherKey}` }));
    it('of the same list of another hive', async () => {
      const hive = cursorOf(await gateway.ask('GET', '/v1/hives/hive_1/memories'));
      expect((await gateway.ask('GET', `/v1/hives/hive_1/memories?cursor=${hive}`)).status).to.equal(200);
      await refuse(`/v1/hives/hive_2/memories?cursor=${hive}`);
    });
    it('of an inbox for a mailbox by time', async () => {
      const inbox = await startGateway({
        commands: { listMessages: async () => ({ items: [fixtures.message], next: [0, 'msg_1'], total: 9 }) },
      });
      const path = '/v1/agent-constellations/a/messages';
      const first = cursorOf(await inbox.ask('GET', path));
      expect((await inbox.ask('GET', `${path}?cursor=${first}`)).status).to.equal(200);
      expect((await inbox.ask('GET', `${path}?order=desc&cursor=${first}`)).status).to.equal(400);
      await inbox.stop();
    });
    it('of a server with another secret', async () => {
      const other = await startGateway({ config: { cursorSecret: Buffer.alloc(32, 8) } });
      expect((await other.ask('GET', `/v1/memories?type=semantic&agent_id=agent_1&cursor=${cursor}`)).status).to.equal(
        400,
      );
      await other.stop();
    });
    it('that is made up, cut, or longer than any', async () => {
      for (const made of [
        'x',
        '.',
        'null',
        cursor.slice(1),
        cursor.slice(0, -1),
        `${cursor}A`,
        cursor.split('.')[0] ?? '',
        `.${cursor.split('.')[1]}`,
        Buffer.from('["mem_40"]').toString('base64url'),
        'A'.repeat(4000),
      ]) {
        await refuse(`/v1/memories?type=semantic&agent_id=agent_1&cursor=${made}`);
      }
    });
  });

  describe('parameters', () => {
    for (const [path, page] of [
      ['/v1/memories', { sort: 'created_at', order: 'desc', limit: 20 }],
      ['/v1/memories?page_size=100&sort=updated_at&order=asc', { sort: 'updated_at', order: 'asc', limit: 100 }],
      ['/v1/memories?sort=relevance', { sort: 'created_at', order: 'desc', limit: 20 }],
      ['/v1/memories?limit=7&offset=30', { sort: 'created_at', order: 'desc', limit: 7, offset: 30 }],
      ['/v1/agents?offset=0&limit=100', { sort: 'created_at', order: 'desc', limit: 100, offset: 0 }],
      ['/v1/agent-constellations/a/thoughts', { sort: 'created_at', order: 'desc', limit: 50 }],
      ['/v1/agent-constellations/a/thoughts?limit=3&sort=updated_at', { sort: 'created_at', order: 'desc', limit: 3 }],
      ['/v1/agent-constellations/a/thoughts?page_size=9', { sort: 'created_at', order: 'desc', limit: 9 }],
      ['/v1/keys?sort=updated_at', { sort: 'created_at', order: 'desc', limit: 20 }],
    ] as const)
      it(`${path} asks for its page`, async () => {
        expect((await gateway.ask('GET', path)).status).to.equal(200);
        expect(pageAsked()).to.deep.equal(page);
      });

    for (const path of [
      '/v1/hives?limit=5',
      '/v1/hives?offset=5',
      '/v1/keys?limit=1',
      '/v1/agent-constellations/a/runs?offset=1',
      '/v1/agent-constellations/a/thoughts?offset=1',
      '/v1/agent-constellations/a/thoughts?limit=1001',
      '/v1/agent-constellations/a/messages?limit=1',
      '/v1/hives/h/agents?limit=1',
      '/v1/hives/h/memories?offset=1',
      '/v1/agents?limit=0',
      '/v1/agents?offset=1&cursor=x',
    ]) {
      it(`${path} is 400`, async () => expect((await gateway.ask('GET', path)).status).to.equal(400));
    }

    it('refuses a mistyped filter instead of listing everything', async () => {
      const { status, text } = await gateway.ask('GET', '/v1/memories?agentid=agent_1');
      expect([status, text.includes('did you mean agent_id?')]).to.deep.equal([400, true]);
      expect((await gateway.ask('GET', '/v1/agents/agent_1?x=1')).status).to.equal(400);
    });

    it('hands filters on', async () => {
      await gateway.ask('GET', '/v1/agent-constellations/a/thoughts?thoughtType=insight&sessionId=a%20b+c');
      expect(gateway.calls.at(-1)?.args[2]).to.deep.include({ thoughtType: 'insight', sessionId: 'a b c' });
      await gateway.ask('GET', '/v1/agent-constellations/a/checkpoints?runId=run_1&sessionId=s');
      expect(gateway.calls.at(-1)?.args[2]).to.deep.include({ runId: 'run_1', sessionId: 's' });
      await gateway.ask('GET', '/v1/memories?agent_id=a&hive_id=h&type=semantic&sessionId=s');
      expect(gateway.calls.at(-1)?.args[1]).to.deep.equal({
        agent_id: 'a',
        hive_id: 'h',
        type: 'semantic',
        sessionId: 's',
      });
    });

    it('shows the inbox without an order, the mailbox by time with one', async () => {
      await gateway.ask('GET', '/v1/agent-constellations/a/messages');
      expect(gateway.calls.at(-1)?.args[2]).to.have.nested.property('page.ordered', false);
      await gateway.ask('GET', '/v1/agent-constellations/a/messages?order=asc');
      expect(gateway.calls.at(-1)?.args[2]).to.have.nested.property('page.ordered', true);
    });
  });

  describe('event streams', () => {
    const path = '/v1/agent-constellations/agent_1/runs/run_1/events';
    for (const [name, query, headers, lastSeq] of [
      ['from the start', '', {}, 0],
      ['after Last-Event-ID', '', { 'last-event-id': '1' }, 1],
      ['after ?lastEventId', '?lastEventId=1', {}, 1],
      ['by the header where both are given', '?lastEventId=7', { 'last-event-id': '1' }, 1],
    ] as const)
      it(`goes on ${name}`, async () => {
        const answer = await gateway.ask('GET', path + query, undefined, headers);
        expect(answer.status).to.equal(200);
        expect(answer.headers.get('x-request-id')).to.match(/^req_/);
        expect(answer.text.match(/^id: \d+/gm)).to.deep.equal(lastSeq === 0 ? ['id: 1', 'id: 2'] : ['id: 2']);
        expect(gateway.calls.at(-1)?.args[3]).to.equal(lastSeq);
      });
    for (const id of ['x', '-1', '1.5', '9'.repeat(16), '0x1', '1 2']) {
      it(`Last-Event-ID ${id} is 400`, async () => {
        expect((await gateway.ask('GET', path, undefined, { 'last-event-id': id })).status).to.equal(400);
        expect((await gateway.ask('GET', `${path}?lastEventId=${encodeURIComponent(id)}`)).status).to.equal(400);
      });
    }
    it('HEAD says what GET would be', async () => {
      const head = await gateway.ask('HEAD', path);
      expect([head.status, head.headers.get('content-type'), head.text]).to.deep.equal([
        200,
        'text/event-stream; charset=utf-8',
        '',
      ]);
    });
    it('aborts the signal when the client leaves', async () => {
      let opened: AbortSignal | undefined;
      const other = await startGateway({
        service: {
          workspaceEvents: (_caller, signal) => {
            opened = signal;
            return forever(signal);
          },
        },
      });
      const leave = new AbortController();
      const response = await fetch(`${other.url}/v1/events`, {
        headers: { authorization: `Bearer ${rootKey}` },
        signal: leave.signal,
      });
      expect([response.status, opened?.aborted]).to.deep.equal([200, false]);
      leave.abort();
      if (!opened?.aborted) await new Promise((resolve) => opened?.addEventListener('abort', resolve));
      await other.stop();
    });
  });
});

async function* forever(signal: AbortSignal): AsyncGenerator<never> {
  await new Promise((resolve) => signal.addEventListener('abort', resolve));
}
