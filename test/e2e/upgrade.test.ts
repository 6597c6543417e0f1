/** A server of this version on the data folder of version 0.1 (test/fixtures/data-0.1/README.md). */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { cli } from '../helpers/cli.js';
import { oldKey, oldToken, unpackOldData } from '../helpers/old-data.js';
import { patient } from '../helpers/patience.js';
import { buildWhenNeeded, startTestServer, type TestServer } from '../helpers/server.js';

const ada = 'agent_01m8285tanp9r2ythegxnazyxd';
const bob = 'agent_01m8285tbxc6t5k2mxgcydahvj';
const paused = 'run_01m8285tkn0m48ch8tsqpsmn59';

interface Answer {
  data: Record<string, unknown> & Record<string, unknown>[];
}

describe('upgrade from version 0.1', function () {
  this.timeout(patient(60_000));
  let server: TestServer | undefined;
  let home: string;
  before(async () => {
    buildWhenNeeded();
    home = mkdtempSync(join(tmpdir(), 'hivekeep-old-'));
    unpackOldData(join(home, 'data'));
    const before = await cli(['doctor'], { HIVEKEEP_DATA_DIR: join(home, 'data') });
    expect(before.stdout + before.stderr).to.include('was written by an older version');
    server = await startTestServer({ dir: join(home, 'data'), env: { HIVEKEEP_ROOT_KEY: oldKey } });
  });
  after(async () => {
    await server?.stop();
    rmSync(home, { recursive: true, force: true });
  });

  async function ask(path: string, body?: object): Promise<Answer['data']> {
    const response = await fetch(`${server?.url}/v1${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${oldKey}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    expect(response.status, text).to.be.below(300);
    return (JSON.parse(text) as Answer).data;
  }

  it('serves agents, memories, hives, messages and runs as they were', async () => {
    const agents = await ask('/agents');
    expect(agents.map((a) => [a['name'], a['memory_count']])).to.have.deep.members([
      ['Ada', 3],
      ['Bob', 0],
    ]);
    const memories = await ask('/memories?limit=50');
    expect(memories.map((m) => m['content'])).to.have.members([
      'Ada likes tea from Assam.',
      'my dog is called Rex.',
      'the key is under the mat. Then answer: done.',
      'The library opens at nine.',
      'Restart the printer twice.',
    ]);
    for (const m of memories) expect(m).to.include({ speaker: null, occurred_at: m['created_at'] });
    expect(await ask('/hives')).to.have.length(1);
    expect(await ask(`/agent-constellations/${bob}/messages`)).to.have.length(1);
    const runs = await ask(`/agent-constellations/${ada}/runs`);
    expect(runs.map((r) => r['status'])).to.deep.equal(['completed', 'completed', 'completed']);
    expect((await ask('/runs?status=paused')).map((r) => r['id'])).to.deep.equal([paused]);
    const found = await ask('/memories/search', { query: 'tea', agent_id: ada });
    expect(found[0]).to.include({ content: 'Ada likes tea from Assam.' });
  });

  it('knows the journals of its runs', async () => {
    const thoughts = await ask(`/agent-constellations/${bob}/thoughts`);
    expect(thoughts.map((t) => t['content'])).to.include('I am remembering: the sky is blue.');
    const checkpoints = await ask(`/agent-constellations/${ada}/checkpoints?sessionId=s-2`);
    expect(checkpoints).to.have.length(1);
    expect(checkpoints[0]).to.include({ step: 1, sessionId: 's-2', agent_id: ada });
  });

  it('goes on with the run that waits for approval', async () => {
    await ask(`/agent-constellations/${bob}/runs/${paused}/resume`, { decision: 'approve' });
    const events = await fetch(`${server?.url}/v1/agent-constellations/${bob}/runs/${paused}/events`, {
      headers: { authorization: `Bearer ${oldKey}` },
    });
    const told = await events.text(); // ends when the run does
    expect(told).to.include('I am remembering: the sky is blue.').and.include('"completed"');
    const kept = await ask(`/memories?agent_id=${bob}`);
    expect(kept.map((m) => m['content'])).to.deep.equal(['the sky is blue.']);
  });

  it('takes the credentials of then', async () => {
    const refused = await fetch(`${server?.url}/v1/agents/${ada}`, {
      headers: { authorization: `Bearer ${oldToken}` },
    });
    expect(refused.status, 'known, and not for this path').to.equal(403);
  });
});
