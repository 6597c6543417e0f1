/** What clients send by mistake or on purpose: each gets the envelope, none reaches the service. */
import { expect } from 'chai';
import { rootKey, startGateway, type Answer, type TestGateway } from '../../helpers/gateway.js';

describe('gateway: bad input', () => {
  let gateway: TestGateway;
  before(async () => {
    gateway = await startGateway();
  });
  after(() => gateway.stop());
  beforeEach(() => {
    gateway.calls.length = 0;
  });

  const reached = (): string[] =>
    gateway.calls.map((call) => call.method).filter((method) => method !== 'authenticate');
  const issues = (answer: Answer): string[] =>
    (answer.body.error?.details.issues ?? []).map((issue) => `${issue.path}: ${issue.message}`);

  async function refused(body: unknown, issue: string | RegExp, path = '/v1/memories'): Promise<void> {
    const answer = await gateway.ask('POST', path, body);
    expect(answer.status, answer.text).to.equal(400);
    expect(answer.body.error).to.include({ code: 'VALIDATION_ERROR', status: 400 });
    const found = issues(answer);
    expect(found, 'details name every issue').not.to.be.empty;
    if (typeof issue === 'string') expect(found).to.include(issue);
    else expect(found.join('\n')).to.match(issue);
    expect(reached()).to.deep.equal([]);
  }
  const memory = (rest: string): string => `{"type":"semantic","content":"tea",${rest}}`;

  describe('bodies that are no JSON object', () => {
    for (const [name, body, issue] of [
      ['broken', '{"type":', /^: must be valid JSON/],
      ['a trailing comma', '{"type":"a",}', /^: must be valid JSON/],
      ['nothing', '', ': must be a JSON object, but is empty'],
      ['an array', '[]', ': must be a JSON object'],
      ['null', 'null', ': must be a JSON object'],
      ['a string', '"x"', ': must be a JSON object'],
      ['a number', '7', ': must be a JSON object'],
      ['two objects', '{}{}', /^: must be valid JSON/],
      ['only a brace that closes', '}', /^: must be valid JSON/],
      ['a byte order mark', '\ufeff{}', /^: must be valid JSON/],
    ] as const)
      it(name, () => refused(body, issue));

    it('invalid UTF-8', async () => {
      const response = await fetch(`${gateway.url}/v1/memories`, {
        method: 'POST',
        headers: { authorization: `Bearer ${rootKey}`, 'content-type': 'application/json' },
        body: Buffer.from('{"type":"semantic","content":"\xff\xfe"}', 'latin1'),
      });
      expect(response.status).to.equal(400);
      expect(await response.text()).to.include('must be valid UTF-8');
    });
  });

  describe('objects that are wrong', () => {
    it('names each path and what was expected', async () => {
      const answer = await gateway.ask('POST', '/v1/agents/spawn', {
        name: 5,
        config: { max_steps: 1000, temperature: 'hot', memory: { recall_limit: -1 } },
        hives: ['a', 'a'],
        memory_quota: 1.5,
        wake_on_message: 'yes',
        nmae: 'x',
        maxRuntimeSeconds: 0,
      });
      expect(answer.status).to.equal(400);
      expect(issues(answer).sort()).to.deep.equal([
        'config.max_steps: must be at most 100',
        'config.memory.recall_limit: must be at least 0',
        'config.temperature: must be a number',
        'hives: must not name a hive twice',
        'maxRuntimeSeconds: must be at least 1',
        'memory_quota: must be an integer',
        'name: must be a string',
        'nmae: is not a known field',
        'wake_on_message: must be true or false',
      ]);
      expect(answer.body.error?.message).to.equal(`${issues(answer)[0]}`);
    });
    for (const [path, more] of [
      ['/v1/agents/a/message', { content: 'x' }],
      ['/v1/agent-constellations/a/runs', { input: 'x' }],
      ['/v1/agents/a/schedules', { input: 'x', every: 60 }],
    ] as const)
      it(`${path}: a misspelt key of overrides, with the one that is meant`, () =>
        refused(
          { ...more, overrides: { instrutions: 'Be brief.' } },
          'overrides.instrutions: is not a known field: did you mean `instructions`?',
          path,
        ));
    it('a missing field', () => refused({ type: 'semantic' }, 'content: is required (a string)'));
    it('an unknown enum value', () =>
      refused(
        { input: 'go', on_busy: 'wait' },
        'on_busy: must be one of "enqueue", "reject", "interrupt", "steer"',
        '/v1/agent-constellations/a/runs',
      ));
    it('an empty content', () => refused({ type: 'semantic', content: '' }, 'content: must not be empty'));
    it('a checkpoint of the wrong kind', () =>
      refused(
        { checkpoint: true },
        'checkpoint: must be a string, or must be a number',
        '/v1/agent-constellations/a/runs/b/fork',
      ));
    it('a number that JSON cannot give back', () =>
      refused(memory('"metadata":{"a":{"b":[1e999]}}'), 'metadata.a.b.0: must be a number of at most 1.8e308'));
    it('over-long content is 400, not 413', () =>
      refused({ type: 'semantic', content: 'x'.repeat(64 * 1024 + 1) }, 'content: must be at most 65536 bytes'));
    it('an answer does not grow with the mistake', async () => {
      const wrong = Object.fromEntries(
        Array.from({ length: 5000 }, (_, i) => [`${'k'.repeat(i === 0 ? 5000 : 5)}${i}`, i]),
      );
      const answer = await gateway.ask('POST', '/v1/memories', {
        ...wrong,
        metadata: { list: Array.from({ length: 5000 }, () => null) },
      });
      expect(answer.status).to.equal(400);
      expect(answer.text.length).to.be.lessThan(10_000);
    });
  });

  describe('text that cannot be stored', () => {
    const lone = 'must be well-formed Unicode (it has a lone surrogate)';
    it('a lone surrogate in a field', () => refused('{"type":"semantic","content":"\\ud83d"}', `content: ${lone}`));
    it('a lone surrogate deep in metadata', () =>
      refused(memory('"metadata":{"a":[{"b":"x\\udc00"}]}'), `metadata.a.0.b: ${lone}`));
    it('a lone surrogate in a key', () =>
      refused(memory('"metadata":{"\\ud800":1}'), new RegExp(`^metadata\\..*${lone.slice(0, 10)}`)));
    it('NUL in a field', () => refused('{"type":"semantic","content":"a\\u0000b"}', 'content: must not contain NUL'));
    it('NUL in metadata', () => refused(memory('"metadata":{"a":"\\u0000"}'), 'metadata.a: must not contain NUL'));
    it('a surrogate pair is fine, and so is a backslash before a u', async () => {
      expect(
        (await gateway.ask('POST', '/v1/memories', '{"type":"semantic","content":"\\ud83d\\ude00 \\\\ud83d"}')).status,
      ).to.equal(201);
      expect(gateway.calls.at(-1)?.args[1]).to.have.property('content', '\u{1f600} \\ud83d');
    });
  });

  describe('keys that could reach a prototype', () => {
    it('__proto__ on top', () =>
      refused('{"type":"a","content":"b","__proto__":{"x":1}}', '__proto__: is not allowed as a key'));
    it('__proto__ in metadata', () =>
      refused(
        memory('"metadata":{"a":[{"__proto__":{"polluted":true}}]}'),
        'metadata.a.0.__proto__: is not allowed as a key',
      ));
    it('__proto__ written with an escape', () =>
      refused(
        memory('"metadata":{"\\u005f_proto__":{"polluted":true}}'),
        'metadata.__proto__: is not allowed as a key',
      ));
    it('constructor.prototype', () =>
      refused(
        memory('"metadata":{"constructor":{"prototype":{"polluted":true}}}'),
        'metadata.constructor: is not allowed as a key',
      ));
    it('constructor.prototype written with escapes', () =>
      refused(
        memory('"metadata":{"constructor":{"\\u0070rototype":{}}}'),
        'metadata.constructor: is not allowed as a key',
      ));
    it('their names as values and as words pass, and nothing is polluted', async () => {
      expect(
        (
          await gateway.ask(
            'POST',
            '/v1/memories',
            memory('"metadata":{"constructor":"x","prototype":"y","say":"__proto__"}'),
          )
        ).status,
      ).to.equal(201);
      expect(({} as Record<string, unknown>)['polluted']).to.equal(undefined);
    });
  });

  describe('nesting', () => {
    const nested = (depth: number): string =>
      memory(`"metadata":{"a":${'['.repeat(depth - 2)}${']'.repeat(depth - 2)}}`);
    it('64 deep passes', async () =>
      expect((await gateway.ask('POST', '/v1/memories', nested(64))).status).to.equal(201));
    it('65 deep is refused', () => refused(nested(65), ': must not be nested deeper than 64'));
    it('10,000 deep is refused', () => refused(nested(10_000), ': must not be nested deeper than 64'));
    it('500,000 brackets that never close are refused', () =>
      refused('['.repeat(500_000), ': must not be nested deeper than 64'));
    it('brackets inside strings do not count', async () =>
      expect(
        (await gateway.ask('POST', '/v1/memories', memory(`"metadata":{"a":"${'[{\\"'.repeat(200)}"}`))).status,
      ).to.equal(201));
  });

  describe('media types', () => {
    const send = (type: string | null, extra: Record<string, string> = {}): Promise<Answer> =>
      gateway.ask('POST', '/v1/memories', '{"type":"a","content":"b"}', {
        ...(type === null ? {} : { 'content-type': type }),
        ...extra,
      });
    for (const type of [
      'application/json',
      'Application/JSON',
      'application/json; charset=utf-8',
      'application/json;charset="UTF-8"',
      'application/vnd.api+json',
      'application/json; version=1',
    ]) {
      it(`takes ${type}`, async () => expect((await send(type)).status).to.equal(201));
    }
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/json; charset=latin1',
      'application/jsonp',
      'text/json',
      '',
    ]) {
      it(`refuses "${type}"`, async () => {
        const answer = await send(type);
        expect(answer.status).to.equal(415);
        expect(answer.body.error?.code).to.equal('UNSUPPORTED_MEDIA_TYPE');
        expect(reached()).to.deep.equal([]);
      });
    }
    it('refuses a body without a type, and a compressed one', async () => {
      const untyped = await fetch(`${gateway.url}/v1/memories`, {
        method: 'POST',
        headers: { authorization: `Bearer ${rootKey}` },
        body: Buffer.from('{}'),
      });
      expect(untyped.status).to.equal(415);
      expect((await send('application/json', { 'content-encoding': 'gzip' })).status).to.equal(415);
    });
    it('is 400 where there is neither body nor type', async () => {
      const answer = await gateway.ask('POST', '/v1/memories');
      expect([answer.status, issues(answer)]).to.deep.equal([400, [': must be a JSON object, but is empty']]);
    });
  });

  describe('paths and queries', () => {
    for (const path of ['/v1/agents/%zz', '/v1/agents/%ff', '/v1/memories/%c3%28']) {
      it(`${path} is 400`, async () => expect((await gateway.ask('GET', path)).status).to.equal(400));
    }
    for (const id of [
      'a'.repeat(129),
      'a.b',
      '%00',
      'a%2fb',
      'a%20b',
      '%F0%9F%98%80',
      '..%2f..%2fetc',
      '__proto__%20',
      '*',
    ]) {
      it(`an id ${id.slice(0, 20)} is 404 without asking`, async () => {
        const answer = await gateway.ask('GET', `/v1/agents/${id}`);
        expect(answer.status).to.equal(404);
        expect(reached()).to.deep.equal([]);
      });
    }
    it('an id of 128 characters is asked for', async () => {
      await gateway.ask('GET', `/v1/agents/${'a'.repeat(128)}`);
      expect(reached()).to.deep.equal(['getAgent']);
    });
    for (const [query, issue] of [
      ['page_size=0', 'page_size: must be an integer from 1 to 100'],
      ['page_size=101', 'page_size: must be an integer from 1 to 100'],
      ['page_size=x', 'page_size: must be an integer from 1 to 100'],
      ['page_size=', 'page_size: must be an integer from 1 to 100'],
      ['page_size=1.5', 'page_size: must be an integer from 1 to 100'],
      ['page_size=-1', 'page_size: must be an integer from 1 to 100'],
      ['page_size=1e1', 'page_size: must be an integer from 1 to 100'],
      ['page_size=%31%zz', 'page_size: must be valid percent-encoded UTF-8'],
      ['page_size=5&page_size=5', 'page_size: must be given once'],
      ['sort=name', 'sort: must be one of created_at, updated_at, relevance'],
      ['order=up', 'order: must be one of desc, asc'],
      ['order=DESC', 'order: must be one of desc, asc'],
      ['cursor=', 'cursor: must be the next_cursor of a page of this same list'],
      ['limit=0', 'limit: must be an integer from 1 to 100'],
      ['offset=-1', 'offset: must be an integer from 0 to 10000'],
      ['limit=5&page_size=5', 'limit: must not be given together with page_size'],
      ['type=9', /^type: must be 1 to 64 letters/],
      ['agent_id=', 'agent_id: must not be empty'],
      ['sessionId=%00', 'sessionId: must not contain NUL'],
    ] as const) {
      it(`?${query} is 400`, async () => {
        const answer = await gateway.ask('GET', `/v1/memories?${query}`);
        expect(answer.status, answer.text).to.equal(400);
        if (typeof issue === 'string') expect(issues(answer)).to.deep.equal([issue]);
        else expect(issues(answer)[0]).to.match(issue);
        expect(reached()).to.deep.equal([]);
      });
    }
    it('an unknown thoughtType is 400 and names the six', async () => {
      const answer = await gateway.ask('GET', '/v1/agent-constellations/a/thoughts?thoughtType=dream');
      expect(answer.status).to.equal(400);
      expect(issues(answer)[0]).to.match(/^thoughtType: .*goal.*recall.*insight.*action.*result.*reflection/);
    });
    it('an unknown status is 400 and names all of them', async () => {
      const answer = await gateway.ask('GET', '/v1/runs?status=done');
      expect(issues(answer)[0]).to.match(/^status: must be one of "pending", "running", .*"cancelled"$/);
    });
    it('unknown parameters are 400, however odd', async () => {
      for (const odd of ['colour=red', '%zz=1', '__proto__=1', 'a[b]=c', '=', '%ED%A0%80=1'])
        expect((await gateway.ask('GET', `/v1/memories?type=a&${odd}`)).status, odd).to.equal(400);
      expect((await gateway.ask('GET', '/v1/memories?&type=a&&')).status).to.equal(200);
    });
  });
});
