/** `hivekeep/client`, as who has the package imports it. */
import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildWhenNeeded, projectRoot } from '../../helpers/server.js';

describe('hivekeep/client', () => {
  before(function () {
    this.timeout(120_000);
    buildWhenNeeded();
  });

  it('is what the package exports, with its types', () => {
    const { exports } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
      exports: { './client': { types: string; default: string } };
    };
    for (const file of Object.values(exports['./client']))
      expect(existsSync(join(projectRoot, file)), file).to.equal(true);
  });

  it('is imported by its name and asks with the key', () => {
    const program = `
      import { createClient } from 'hivekeep/client';
      const asked = [];
      const fetch = async (request) => { asked.push([request.method, request.url, request.headers.get('authorization')]); return Response.json({ data: { id: 'agent_1' } }); };
      const { data } = await createClient({ baseUrl: 'https://hive.example/below', key: 'svc_live_1', fetch }).GET('/v1/agents/{id}', { params: { path: { id: 'agent_1' } } });
      console.log(JSON.stringify({ asked, data }));`;
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
      cwd: projectRoot,
      encoding: 'utf8',
    });
    expect(stderr).to.equal('');
    expect(JSON.parse(stdout)).to.deep.equal({
      asked: [['GET', 'https://hive.example/below/v1/agents/agent_1', 'Bearer svc_live_1']],
      data: { data: { id: 'agent_1' } },
    });
  });
});
