/** ETag, If-None-Match and If-Match on agents (RFC 9110, 8.8 and 13.1). */
import { expect } from 'chai';
import { served, type Answer, type Json } from './support/client.js';

const { api, hooks } = served();

const spawn = (): Promise<Answer> => api.ask('POST', '/v1/agents/spawn', { name: 'C' });
const pathOf = (answer: Answer): string => `/v1/agents/${String((answer.body.data as Json)['id'])}`;
const tagOf = (answer: Answer): string =>
  answer.headers.get('etag') ?? expect.fail(`no ETag: ${answer.status} ${answer.text}`);
const tagNow = async (path: string): Promise<string> => tagOf(await api.ask('GET', path));
const change = (path: string, tag: string, name: string, method = 'PUT'): Promise<Answer> =>
  api.ask(method, path, method === 'DELETE' ? undefined : { name }, { 'if-match': tag });

describe('black box: conditional requests', () => {
  hooks();

  it('every answer that shows an agent has the ETag that a GET then has', async () => {
    const made = await spawn();
    const path = pathOf(made);
    expect(tagOf(made))
      .to.match(/^"[!#-~]+"$/)
      .and.equal(await tagNow(path));
    for (const method of ['PUT', 'PATCH'])
      expect(tagOf(await api.ask(method, path, { description: method }))).to.equal(await tagNow(path));
    expect(tagOf(await api.ask('HEAD', path))).to.equal(await tagNow(path));
  });

  it('304 without a body as long as nothing has changed, and the thing itself when anything has', async () => {
    const path = pathOf(await spawn());
    const again = async (tag: string): Promise<number> =>
      (await fetch(api.url + path, { headers: { authorization: `Bearer ${api.key}`, 'if-none-match': tag } })).status;
    const changes: (() => Promise<unknown>)[] = [
      () => api.one('PATCH', path, { metadata: { a: 1 } }),
      () =>
        api.one(
          'POST',
          '/v1/memories',
          { type: 'semantic', content: 'tea', agent_id: path.slice('/v1/agents/'.length) },
          201,
        ),
      () => api.one('POST', `${path}/message`, { content: 'hi' }),
    ];
    for (const [i, what] of changes.entries()) {
      const tag = await tagNow(path);
      for (const header of [tag, `W/${tag}`, `"x", ${tag}`, '*']) expect(await again(header)).to.equal(304);
      await what();
      expect(await again(tag), `change ${i}`).to.equal(200);
    }
    const response = await fetch(api.url + path, {
      headers: { authorization: `Bearer ${api.key}`, 'if-none-match': await tagNow(path) },
    });
    expect([
      response.status,
      await response.text(),
      response.headers.get('content-length'),
      response.headers.get('x-ratelimit-limit') === null,
      response.headers.get('etag'),
    ]).to.deep.equal([304, '', null, false, await tagNow(path)]);
  });

  for (const method of ['PUT', 'PATCH', 'DELETE']) {
    it(`${method}: done with the tag of what is there, 412 and nothing done with one from before`, async () => {
      const path = pathOf(await spawn());
      const stale = await tagNow(path);
      await api.one('PATCH', path, { description: 'changed' });
      const before = await api.one('GET', path);
      for (const tag of [stale, `W/${await tagNow(path)}`, `"x", ${stale}`, '"nothing"', 'nothing']) {
        const refused = await change(path, tag, 'x', method);
        expect([refused.status, refused.body.error?.code], tag).to.deep.equal([412, 'PRECONDITION_FAILED']);
      }
      expect(await api.one('GET', path)).to.deep.equal(before);
      expect((await change(path, `${stale}, ${await tagNow(path)}`, 'y', method)).status).to.equal(200);
    });
  }

  it('* is any agent that there is, and no agent that there is not', async () => {
    const path = pathOf(await spawn());
    expect((await change(path, '*', 'y')).status).to.equal(200);
    expect((await change('/v1/agents/agent_none', '*', 'y')).status).to.equal(404);
    expect((await change('/v1/agents/agent_none', await tagNow(path), 'y')).status).to.equal(404);
  });

  it('what the agent does meanwhile is no reason to refuse its settings', async () => {
    const path = pathOf(await spawn());
    const tag = await tagNow(path);
    await api.one('POST', `${path}/message`, { content: 'remember: tea' });
    expect(await tagNow(path)).not.to.equal(tag);
    expect((await change(path, tag, 'still')).status).to.equal(200);
  });

  it('of many changes with the same tag one wins, and its answer is what is there', async () => {
    const path = pathOf(await spawn());
    for (let round = 0; round < 5; round++) {
      const tag = await tagNow(path);
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, i) => change(path, tag, `${round}.${i}`, i % 2 ? 'PATCH' : 'PUT')),
      );
      const won = answers.filter((answer) => answer.status === 200);
      expect(won).to.have.length(1);
      expect(answers.filter((answer) => answer.status === 412)).to.have.length(9);
      expect(tagOf(won[0]!)).to.equal(await tagNow(path));
      expect(await api.one('GET', path)).to.deep.equal(won[0]!.body.data);
    }
  });

  it('a bad body is told before the condition', async () => {
    const path = pathOf(await spawn());
    expect((await api.ask('PUT', path, { name: 5 }, { 'if-match': '"stale"' })).status).to.equal(400);
  });
});
