/** The file of HIVEKEEP_MODELS: what it gives, and that a mistake in it is a sentence without the key. */
import { expect } from 'chai';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError, loadConfig, type Environment } from '../../../src/config/config.js';
import { embeddingServer, modelServers, type ModelServerConfig } from '../../../src/config/model-servers.js';

describe('The servers of models', () => {
  let dir: string;
  before(() => {
    dir = mkdtempSync(join(tmpdir(), 'hivekeep-models-'));
    writeFileSync(join(dir, 'x.key'), 'sk-of-a-file\n');
  });
  after(() => {
    rmSync(dir, { recursive: true });
  });

  const read = (content: unknown, environment: Environment = {}): Map<string, ModelServerConfig> => {
    const path = join(dir, 'models.json');
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
    return modelServers(loadConfig({ ...environment, HIVEKEEP_MODELS: path }, false));
  };
  const problem = (content: unknown, environment: Environment = {}): string => {
    try {
      read(content, environment);
    } catch (error) {
      if (error instanceof ConfigError) return error.message;
      throw error;
    }
    throw new Error('it should have failed');
  };

  it('one of them makes embeddings, if HIVEKEEP_EMBEDDINGS names it and its model', () => {
    const found = (environment: Environment) => embeddingServer(loadConfig(environment, false));
    const HIVEKEEP_OPENAI_API_KEY = 'sk-1';
    expect(found({ HIVEKEEP_OPENAI_API_KEY })).to.equal(null);
    const named = { HIVEKEEP_OPENAI_API_KEY, HIVEKEEP_EMBEDDINGS: 'openai/org/embed-3' };
    expect(found(named)).to.deep.include({ model: 'org/embed-3' });
    expect(found(named)!.server).to.include({ name: 'openai', apiKey: 'sk-1', baseUrl: null });
    for (const HIVEKEEP_EMBEDDINGS of ['openai', 'on', 'openai/', 'local/x'])
      expect(() => found({ HIVEKEEP_OPENAI_API_KEY, HIVEKEEP_EMBEDDINGS }), HIVEKEEP_EMBEDDINGS).to.throw(
        ConfigError,
        /HIVEKEEP_EMBEDDINGS/,
      );
    const other = { HIVEKEEP_ANTHROPIC_API_KEY: 'sk-2', HIVEKEEP_EMBEDDINGS: 'anthropic/x' };
    expect(() => found(other)).to.throw(ConfigError, /HIVEKEEP_EMBEDDINGS.*OpenAI/);
  });

  it('are those of the settings and those of the file', () => {
    const servers = read(
      {
        local: { base_url: 'http://127.0.0.1:11434/v1/', timeout_seconds: 600 },
        eu: { speaks: 'anthropic', api_key_file: 'x.key', max_answer_bytes: 2048, stream: false },
      },
      { HIVEKEEP_OPENAI_API_KEY: 'sk-1', HIVEKEEP_ANTHROPIC_API_KEY: 'sk-2' },
    );
    expect([...servers.keys()]).to.deep.equal(['openai', 'anthropic', 'local', 'eu']);
    expect(servers.get('local')).to.deep.include({
      speaks: 'openai',
      baseUrl: 'http://127.0.0.1:11434/v1',
      apiKey: null,
      timeoutMs: 600_000,
      maxAnswerBytes: 1024 * 1024,
      stream: true,
    });
    expect(servers.get('eu')).to.deep.include({
      speaks: 'anthropic',
      baseUrl: null,
      apiKey: 'sk-of-a-file',
      timeoutMs: 120_000,
      maxAnswerBytes: 2048,
      stream: false,
    });
  });

  it('say how models of embeddings want to be asked', () => {
    const servers = read({
      e5: { base_url: 'http://e5/v1', query_prefix: 'query: ', passage_prefix: 'passage: ' },
      voyage: { input_type: { query: 'query', passage: 'document' }, dimensions: 512 },
    });
    expect(servers.get('e5')!.form).to.deep.equal({ prefix: { query: 'query: ', passage: 'passage: ' } });
    expect(servers.get('voyage')!.form).to.deep.equal({
      inputType: { query: 'query', passage: 'document' },
      dimensions: 512,
    });
    expect(problem({ voyage: { input_type: 'query' } })).to.contain('voyage.input_type');
    expect(problem({ voyage: { dimensions: 0 } })).to.contain('voyage.dimensions');
  });

  for (const [what, content, says] of [
    ['no JSON', '{', 'is not JSON'],
    ['a bad name', { 'My Server': {} }, 'My Server'],
    ['an unknown field', { local: { url: 'http://x' } }, 'local has unknown fields'],
    ['a bad URL', { local: { base_url: 'ftp://x' } }, 'local.base_url'],
    ['two keys', { local: { api_key: 'sk-secret', api_key_file: 'x.key' } }, 'leave one out'],
    ['a key file that is not there', { local: { api_key_file: 'y.key' } }, 'cannot be read (ENOENT)'],
    ['a name that is taken', { openai: { api_key: 'sk-secret' } }, 'the name openai is taken'],
  ] as const)
    it(`say what is wrong: ${what}`, () => {
      expect(problem(content, { HIVEKEEP_OPENAI_API_KEY: 'sk-1' }))
        .to.contain(says)
        .and.not.contain('sk-secret');
    });
});
