/**
 * chat/exchange.ts against a scripted server. Waits between tries go through a clock that notes them and does not
 * wait.
 */
import { expect } from 'chai';
import type { Clock } from '../../src/domain/shared/clock.js';
import { createOpenAi } from '../../src/reasoner/openai.js';
import { ReasonerError } from '../../src/reasoner/port.js';
import { startScriptedOpenAi, type ScriptedOpenAi, type ScriptedReply } from '../helpers/scripted-openai.js';
import { contextOf } from '../unit/reasoner/support.js';
import { turn } from '../helpers/turn.js';

const key = 'sk-secret-key-0123456789';
const timeoutMs = 5000;
const context = contextOf({ input: 'x' });

/** Waits end at once and are noted; the timeout of a request does not run. */
class NotingClock implements Clock {
  waits: number[] = [];
  now(): number {
    return Date.parse('2030-01-01T00:00:00Z');
  }
  after(ms: number, fn: () => void): () => void {
    if (ms === timeoutMs) return () => undefined;
    this.waits.push(ms);
    const timer = setImmediate(fn);
    return () => {
      clearImmediate(timer);
    };
  }
}

describe('OpenAI-compatible reasoner: the exchange', () => {
  let server: ScriptedOpenAi;
  let clock: NotingClock;
  beforeEach(async () => {
    server = await startScriptedOpenAi();
    clock = new NotingClock();
  });
  afterEach(() => server.close());

  const make = (more: Partial<Parameters<typeof createOpenAi>[0]> = {}) =>
    createOpenAi({
      baseUrl: server.baseUrl,
      apiKey: key,
      clock,
      tuning: { timeoutMs, maxRetries: 2, random: () => 0 },
      ...more,
    })('gpt-x');
  const ask = async (signal = new AbortController().signal): Promise<string> =>
    (await make().next(context, signal)).calls[0]?.arguments['content'] ?? '';
  const failure = async (reasoner = make(), signal = new AbortController().signal): Promise<ReasonerError> => {
    try {
      await reasoner.next(context, signal);
    } catch (e) {
      if (e instanceof ReasonerError) return e;
      throw e;
    }
    throw new Error('it should have failed');
  };

  for (const reply of [
    { status: 429 },
    { status: 500 },
    { status: 503 },
    { status: 408 },
    { cut: 'before' },
    { cut: 'body' },
  ] satisfies ScriptedReply[]) {
    it(`${JSON.stringify(reply)} is tried again, later each time`, async () => {
      server.queue(reply, reply, { text: 'at last' });
      expect(await ask()).to.equal('at last');
      expect(clock.waits).to.deep.equal([500, 1000]);
    });
  }

  it('a connection refused is tried again, then unreachable, naming the code', async () => {
    await server.close();
    const error = await failure();
    expect(error.code).to.equal('unreachable');
    expect(error.message).to.contain('ECONNREFUSED').and.to.contain('tried 3 times').and.to.contain(server.baseUrl);
    expect(clock.waits).to.have.length(2);
  });

  it('gives up after maxRetries: 429 is refused, 5xx unreachable', async () => {
    for (const [status, code] of [
      [429, 'rate_limited'],
      [500, 'unreachable'],
    ] as const) {
      server.queue({ status }, { status }, { status });
      const error = await failure();
      expect([error.code, error.message.includes('tried 3 times')]).to.deep.equal([code, true]);
    }
    expect(server.requests).to.have.length(6);
  });

  for (const [headers, waited] of [
    [{ 'retry-after': '7' }, 7000],
    [{ 'retry-after': '0' }, 0],
    [{ 'retry-after': 'Tue, 01 Jan 2030 00:00:10 GMT' }, 10_000],
    [{ 'retry-after-ms': '1234', 'retry-after': '9' }, 1234],
    [{ 'retry-after': 'soon' }, 500],
  ] as const) {
    it(`honours ${JSON.stringify(headers)}`, async () => {
      server.queue({ status: 429, headers }, { text: 'ok' });
      expect(await ask()).to.equal('ok');
      expect(clock.waits).to.deep.equal(waited === 0 ? [] : [waited]);
    });
  }

  it('a server that asks for more than ten seconds is away for that time', async () => {
    server.queue({ status: 429, headers: { 'retry-after': '240' } });
    const error = await failure();
    expect(error).to.include({ code: 'rate_limited', fault: 'away', retryAfterMs: 240_000 });
    expect(error.message).to.contain('wait 240 s');
    expect(clock.waits).to.deep.equal([]);
  });

  it('a quota that is used up is not tried again', async () => {
    server.queue({ status: 429, body: '{"error":{"code":"insufficient_quota","message":"You exceeded your quota"}}' });
    expect((await failure()).message)
      .to.contain('no quota left')
      .and.to.contain('You exceeded your quota');
    expect(server.requests).to.have.length(1);
  });

  for (const [status, hint] of [
    [401, 'HIVEKEEP_OPENAI_API_KEY'],
    [403, 'config.model'],
    [404, 'HIVEKEEP_OPENAI_BASE_URL'],
    [400, 'too many tokens'],
  ] as const) {
    it(`${status} is refused at once, with a sentence that helps and without the key`, async () => {
      server.queue({
        status,
        body: JSON.stringify({ error: { message: `too many tokens, your key is ${key}, Bearer ${key}` } }),
      });
      const error = await failure();
      expect([error.code, server.requests.length]).to.deep.equal(['refused', 1]);
      expect(error.message).to.contain(hint).and.not.to.contain(key);
      expect(error.stack).not.to.contain(key);
      expect(error.cause).to.equal(undefined);
    });
  }

  it('passwords in the base URL are not shown', async () => {
    const error = await failure(make({ baseUrl: server.baseUrl.replace('http://', 'http://user:hunter2@') }));
    expect(error.message).not.to.contain('hunter2');
  });

  for (const reply of [{ hang: true }, { hangBody: true }] satisfies ScriptedReply[]) {
    it(`${JSON.stringify(reply)} ends at the timeout, once, and the connection closes`, async () => {
      server.queue(reply);
      let timeUp = (): void => undefined;
      const byHand: Clock = {
        now: () => 0,
        after: (ms, fn) => {
          if (ms === 60) timeUp = fn;
          return () => undefined;
        },
      };
      const failed = failure(
        createOpenAi({ baseUrl: server.baseUrl, apiKey: key, clock: byHand, tuning: { timeoutMs: 60, maxRetries: 2 } })(
          'gpt-x',
        ),
      );
      const { dropped } = await server.received(1);
      if ('hangBody' in reply)
        await new Promise((resolve) => {
          setTimeout(resolve, 20);
        }); // most likely it is reading the body by then
      timeUp();
      const error = await failed;
      expect([error.code, error.message.includes('0.06 s')]).to.deep.equal(['timeout', true]);
      await dropped;
      expect(server.requests).to.have.length(1);
    });

    it(`${JSON.stringify(reply)} ends at an abort: the server sees the connection close`, async () => {
      server.queue(reply);
      const controller = new AbortController();
      const reason = new Error('the run was cancelled');
      const result = ask(controller.signal).catch((e: unknown) => e);
      const { dropped } = await server.received(1);
      controller.abort(reason);
      expect(await result).to.equal(reason);
      await dropped;
    });
  }

  it('an abort ends the wait between tries', async () => {
    const controller = new AbortController();
    const reason = new Error('stop');
    let cancelled = 0;
    const stuck: Clock = {
      now: () => 0,
      after: () => () => {
        cancelled++;
      },
    };
    server.queue({ status: 429, headers: { 'retry-after': '5' } });
    const result = createOpenAi({ baseUrl: server.baseUrl, apiKey: key, clock: stuck })('m').next(
      context,
      controller.signal,
    ) as Promise<unknown>;
    const seen = result.catch((e: unknown) => e);
    await server.received(1);
    // The wait has begun when the first request's timer has been cancelled.
    while (cancelled === 0) await turn();
    controller.abort(reason);
    expect(await seen).to.equal(reason);
    expect([server.requests.length, cancelled]).to.deep.equal([1, 2]);
  });

  it('an abort ends it at whatever point it comes, also while it waits its turn', async () => {
    for (let after = 0; after < 40; after++) {
      server.queue({ hang: true });
      const controller = new AbortController();
      const result = ask(controller.signal).catch((e: unknown) => e);
      for (let i = 0; i < after; i++) await Promise.resolve();
      controller.abort('gone');
      expect(await result, `after ${after} microtasks`).to.equal('gone');
    }
  });

  it('sends nothing when it is aborted already', async () => {
    expect(await ask(AbortSignal.abort('gone')).catch((e: unknown) => e)).to.equal('gone');
    expect(server.requests).to.have.length(0);
  });

  it('waits for a slow answer within its time', async () => {
    server.queue({ waitMs: 30, then: { text: 'slow' } });
    expect(await ask()).to.equal('slow');
  });

  it('takes nothing from OPENAI_* of the environment, and tells nothing of this machine', async () => {
    const foreign = {
      OPENAI_API_KEY: 'sk-from-the-environment',
      OPENAI_ADMIN_KEY: 'sk-admin',
      OPENAI_ORG_ID: 'org-x',
      OPENAI_CUSTOM_HEADERS: 'X-Foreign: yes\nAuthorization: Bearer sk-custom',
    };
    Object.assign(process.env, foreign);
    try {
      for (const apiKey of [null, 'sk-ours']) {
        server.queue({ text: 'ok' });
        await make({ apiKey }).next(context, new AbortController().signal);
        const { headers = {} } = server.requests.at(-1) ?? {};
        expect(headers.authorization).to.equal(apiKey === null ? undefined : 'Bearer sk-ours');
        expect(Object.keys(headers).filter((name) => /^(x-|openai-)/.test(name))).to.deep.equal([]);
      }
    } finally {
      for (const name of Object.keys(foreign)) Reflect.deleteProperty(process.env, name);
    }
  });
});
