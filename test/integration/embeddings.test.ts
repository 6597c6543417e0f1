/** The client of OpenAI's /embeddings against a scripted server, and its settings (src/embeddings/openai.ts). */
import type { StoredMemory } from '../../src/domain/memory/stored-memory.js';
import { contentHash, type MadeVector, packed } from '../../src/domain/memory/vectors.js';
import { turn } from '../helpers/turn.js';
import { ManualClock } from '../unit/actors/runtime/kit.js';
import { expect } from 'chai';
import { createEmbedder, type EmbeddingForm } from '../../src/embeddings/openai.js';
import { type TextRole, TextsRefused } from '../../src/embeddings/port.js';
import { Vectors } from '../../src/embeddings/vectors.js';
import { startScriptedOpenAi, type ScriptedOpenAi } from '../helpers/scripted-openai.js';

describe('OpenAI-compatible embeddings', () => {
  let server: ScriptedOpenAi;
  before(async () => {
    server = await startScriptedOpenAi();
  });
  after(() => server.close());

  const embed = (texts: readonly string[], apiKey: string | null = 'sk-1', signal = new AbortController().signal) =>
    createEmbedder({ name: 'local', baseUrl: server.baseUrl, apiKey, timeoutMs: 5000 }, 'bge-m3').embed(
      texts,
      'passage',
      signal,
    );
  const failure = (texts: readonly string[]): Promise<string> =>
    embed(texts).then(
      () => 'none',
      (error: unknown) => (error as Error).message,
    );
  const vectors = (...data: object[]): { completion: unknown } => ({ completion: { object: 'list', data } });

  it('asks for several texts at once, and takes the vectors in the order of their index', async () => {
    server.queue(vectors({ index: 1, embedding: [3, 4] }, { index: 0, embedding: [1, 2] }));
    expect(await embed(['a', 'b'])).to.deep.equal([
      [1, 2],
      [3, 4],
    ]);
    const { method, path, headers, body } = server.requests[0]!;
    expect([method, path, headers.authorization]).to.deep.equal(['POST', '/v1/embeddings', 'Bearer sk-1']);
    expect(body).to.deep.equal({ model: 'bge-m3', input: ['a', 'b'], encoding_format: 'float' });
    server.queue(vectors({ index: 0, embedding: [1] }));
    await embed(['a'], null);
    expect(server.requests[1]!.headers).not.to.have.property('authorization');
  });

  it('sends what the operator adds for its server: headers and parameters of the address', async () => {
    server.queue(vectors({ index: 0, embedding: [1] }));
    const additions = { headers: { 'api-key': 'azure-1' }, query: { 'api-version': '2024-10-21' } };
    const azure = createEmbedder(
      { name: 'azure', baseUrl: server.baseUrl, apiKey: null, timeoutMs: 5000, additions },
      'e',
    );
    await azure.embed(['a'], 'passage', new AbortController().signal);
    const { path, headers } = server.requests.at(-1)!;
    expect([path, headers['api-key']]).to.deep.equal(['/v1/embeddings?api-version=2024-10-21', 'azure-1']);
  });

  it('says what a text is as the model wants it, and vectors made in another way are of another model', async () => {
    const made = (form?: EmbeddingForm) =>
      createEmbedder(
        { name: 'local', baseUrl: server.baseUrl, apiKey: null, timeoutMs: 5000, ...(form && { form }) },
        'e5',
      );
    const sent = async (form: EmbeddingForm, role: TextRole): Promise<object> => {
      server.queue(vectors({ index: 0, embedding: [1] }));
      await made(form).embed(['a'], role, new AbortController().signal);
      return server.requests.at(-1)!.body;
    };
    const plain = { model: 'e5', encoding_format: 'float' };
    const prefix = { query: 'query: ', passage: 'passage: ' };
    expect(await sent({ prefix }, 'query')).to.deep.equal({ ...plain, input: ['query: a'] });
    expect(await sent({ prefix }, 'passage')).to.deep.equal({ ...plain, input: ['passage: a'] });
    expect(await sent({ prefix: { query: 'query: ' } }, 'passage')).to.deep.equal({ ...plain, input: ['a'] });
    const inputType = { query: 'search_query', passage: 'search_document' };
    const typed = { ...plain, input: ['a'], dimensions: 256 };
    expect(await sent({ inputType, dimensions: 256 }, 'query')).to.deep.equal({ ...typed, input_type: 'search_query' });
    expect(await sent({ inputType, dimensions: 256 }, 'passage')).to.deep.equal({
      ...typed,
      input_type: 'search_document',
    });
    const names = [undefined, { prefix }, { inputType }, { dimensions: 256 }].map((form) => made(form).model);
    expect(new Set(names)).to.have.length(4);
    expect(names[0]).to.equal('local/e5');
    // how queries are asked changes no vector that is kept
    expect(made({ prefix: { query: 'query: ' } }).model).to.equal('local/e5');
  });

  it('one slow query does not end the search by meaning for others; several in a row do for a while, which the log says', async () => {
    const clock = new ManualClock();
    let away = false;
    let asked = 0;
    const log: string[] = [];
    const vectors = new Vectors({
      embedder: {
        model: 'm',
        byRole: true,
        embed: (texts, role, signal) => {
          asked++;
          return away
            ? new Promise((_, reject) => {
                signal.addEventListener('abort', () => {
                  reject(new Error('late'));
                });
              })
            : Promise.resolve(texts.map((_, i) => (role === 'query' ? [1, i] : [i, 1])));
        },
      },
      clock,
      log: { warn: (_: object, message: string) => log.push(message) },
    });
    const asks = async (...queries: string[]): Promise<boolean[]> => {
      const all = queries.map((query) => vectors.ofQuery(query));
      await turn();
      clock.advance(1000);
      return (await Promise.all(all)).map((meaning) => meaning !== null);
    };
    expect(await asks('a')).to.deep.equal([true]);
    away = true;
    // those that wait beside each other are one failure
    expect(await asks('b', 'c', 'd', 'e')).to.deep.equal([false, false, false, false]);
    expect(await asks('f')).to.deep.equal([false]);
    away = false;
    expect(await asks('f')).to.deep.equal([true]);
    away = true;
    for (const query of ['g', 'h', 'i']) expect(await asks(query)).to.deep.equal([false]);
    expect(log).to.have.length(1);
    expect(log[0]).to.contain('3 times in a row').and.contain('every 10 s');
    away = false;
    asked = 0;
    expect(await asks('j', 'a')).to.deep.equal([false, true]);
    expect(asked).to.equal(0);
    clock.advance(10_000);
    expect(await asks('j')).to.deep.equal([true]);
  });

  it('refuses what is no vector for each text, without telling the key', async () => {
    const one = { index: 0, embedding: [1, 2] };
    for (const reply of [
      vectors(one),
      vectors(one, { index: 1, embedding: [1] }),
      vectors(one, { index: 1, embedding: ['x'] }),
      { completion: { data: 'none' } },
      { status: 500, body: 'sk-1' },
      { status: 307, headers: { location: 'http://127.0.0.1:1/' } },
      { cut: 'before' as const },
    ]) {
      server.queue(reply);
      const said = await failure(['a', 'b']);
      expect(said, JSON.stringify(reply)).not.to.equal('none').and.not.to.contain('sk-1');
    }
  });

  it('a query that the server refuses does not end the search by meaning for others, and what all need is asked once', async () => {
    const asked: number[] = [];
    const vectors = new Vectors({
      embedder: {
        model: 'm',
        embed: (texts) => {
          asked.push(texts.length);
          return texts.includes('refused')
            ? Promise.reject(new TextsRefused('no'))
            : Promise.resolve(texts.map((_, i) => [1, i]));
        },
      },
      clock: { now: () => 0, elapsed: () => 0, after: () => () => undefined },
      log: { warn: () => undefined },
    });
    const [refused, another] = await Promise.all([vectors.ofQuery('refused'), vectors.ofQuery('another')]);
    expect(refused).to.equal(null);
    expect(another).to.be.an('object');
    expect(asked).to.deep.equal([6, 1, 1]);
  });

  it('leaves vectors of a model alone that another process makes them with, and makes its own when that process has gone', async () => {
    const clock = new ManualClock();
    const asked: string[] = [];
    const vectors = new Vectors({
      embedder: {
        model: 'new',
        embed: (texts) => {
          asked.push(...texts);
          return Promise.resolve(texts.map(() => [1, 0]));
        },
      },
      clock,
      log: { warn: () => undefined },
    });
    const used = new Set(['old']);
    const kept: MadeVector[] = [];
    vectors.begin(
      (_, made) => Promise.resolve(kept.push(...made)),
      (model) => used.has(model),
    );
    const entity = { workspace: 'w', kind: 'agent', id: 'agent_1' } as const;
    const body = (id: string, model: string | null, content = id): StoredMemory =>
      ({
        id,
        content,
        ...(model && { vector: { model, of: contentHash(id), data: packed([0, 1]) } }),
      }) as unknown as StoredMemory;
    expect(vectors.of(entity, body('theirs', 'old'))).to.equal(null);
    expect(vectors.of(entity, body('ours', 'new'))).to.be.instanceOf(Int8Array);
    vectors.of(entity, body('gone', 'older'));
    vectors.of(entity, body('none', null));
    vectors.of(entity, body('changed', 'old', 'another content'));
    await turn();
    expect(asked).to.deep.equal(['gone', 'none', 'another content']);
    clock.advance(60_000);
    await turn();
    expect(asked).to.have.length(3);
    used.clear();
    clock.advance(30_000);
    await turn();
    expect(asked.slice(3)).to.deep.equal(['theirs']);
    expect(kept.map(({ id, model }) => `${id} ${model}`)).to.include('theirs new');
  });

  it('stops when it is no longer waited for', async () => {
    server.queue({ hang: true });
    const abort = new AbortController();
    const asked = server.requests.length;
    const failed = embed(['a'], null, abort.signal).catch(() => 'stopped');
    const seen = await server.received(asked + 1);
    abort.abort();
    expect(await failed).to.equal('stopped');
    await seen.dropped;
  });
});
