/** `hivekeep doctor` and servers of models: one that answers, one that refuses the key, one that is away. */
import { expect } from 'chai';
import { checkModels } from '../../gateway/cli/checks/models.js';
import { loadConfig } from '../../src/config/config.js';
import { startScriptedOpenAi } from '../helpers/scripted-openai.js';

describe('The check of model servers', () => {
  it('asks each for its models with its key', async () => {
    const [one, other] = [await startScriptedOpenAi(), await startScriptedOpenAi()];
    one.queue({ completion: { data: [{ id: 'a' }, { id: 'b' }] } });
    other.queue({ status: 401, body: '{}' });
    const config = loadConfig(
      {
        HIVEKEEP_OPENAI_BASE_URL: one.baseUrl,
        HIVEKEEP_OPENAI_API_KEY: 'sk-1',
        HIVEKEEP_ANTHROPIC_BASE_URL: other.baseUrl.replace('/v1', ''),
        HIVEKEEP_ANTHROPIC_API_KEY: 'sk-2',
      },
      false,
    );
    const findings = await checkModels(config);
    expect(findings.map(({ level }) => level)).to.deep.equal(['ok', 'fail']);
    expect(findings[0]?.text).to.contain('names 2 models');
    expect(findings[1]?.text).to.contain('check HIVEKEEP_ANTHROPIC_API_KEY').and.not.contain('sk-2');
    expect([one.requests[0]?.path, one.requests[0]?.headers.authorization]).to.deep.equal([
      '/v1/models',
      'Bearer sk-1',
    ]);
    expect([other.requests[0]?.path, other.requests[0]?.headers['x-api-key']]).to.deep.equal(['/v1/models', 'sk-2']);
    await Promise.all([one.close(), other.close()]);
    const [away] = await checkModels(config);
    expect(away).to.include({ level: 'fail' });
    expect(away?.text).to.contain('does not answer (ECONNREFUSED)').and.contain('HIVEKEEP_OPENAI_BASE_URL');
  });

  it('finds nothing where no server is configured', async () => {
    expect(await checkModels(loadConfig({}, false))).to.deep.equal([]);
  });
});
