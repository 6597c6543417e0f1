/**
 * Export and import over HTTP on a cluster: what one process takes in is found at every other, whose agents work
 * meanwhile, and the way back is the same.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { cli, type CliResult } from '../../helpers/cli.js';
import { startCluster, type Cluster } from '../../helpers/cluster-processes.js';
import { agentIdOf, writeExportFile } from '../../helpers/export-file.js';
import { mainFile } from '../../helpers/server-process.js';
import { client, everyItem, type Api } from '../api/support/client.js';

const memories = 400;

describe('cluster: export and import', function () {
  this.timeout(180_000);
  let cluster: Cluster;
  let apis: Api[];
  const home = mkdtempSync(join(tmpdir(), 'hivekeep-transfer-'));
  before(async function () {
    const started = await startCluster({ all: 2 });
    if (!started) return this.skip();
    cluster = started;
    apis = cluster.processes.map((process) => client(() => process.url, cluster.key));
  });
  after(async () => {
    await cluster?.stop();
    rmSync(home, { recursive: true, force: true });
  });
  const run = async (...args: string[]): Promise<CliResult> => {
    const result = await cli(args, { HIVEKEEP_KEY: cluster.key }, mainFile, 120_000);
    expect(result.code, result.stderr).to.equal(0);
    return result;
  };

  it('each process takes in what the others find, while their agents work', async () => {
    const [first, second] = [join(home, 'first'), join(home, 'second')];
    const agents = [agentIdOf(0), agentIdOf(1), agentIdOf(2)];
    await writeExportFile(first, { memories: 40, runs: 6, agents: agents.length });
    await writeExportFile(second, { memories, runs: 20, agents: agents.length });
    await run('import', first, '--url', cluster.processes[0]!.url);
    // Every process has the agents' indexes in memory, and they work, while another process takes in more.
    for (const api of apis)
      for (const agent of agents)
        await api.ask('POST', '/v1/memories/search', { query: 'which lot is kept in hall 3?', agent_id: agent });
    const work = agents.flatMap((agent, n) =>
      Array.from({ length: 10 }, (_, i) =>
        apis[i % 2]!.one(
          'POST',
          '/v1/memories',
          { type: 'semantic', content: `Note ${n}-${i} was made meanwhile.`, agent_id: agent },
          201,
        ),
      ),
    );
    const [report] = await Promise.all([run('import', second, '--url', cluster.processes[1]!.url), ...work]);
    expect(report.stderr).to.include('journal entries');
    for (const api of apis) {
      expect((await api.page('/v1/memories')).pagination.total_count).to.equal(memories + 30);
      for (const [agent, lot] of [
        [agents[0], 17],
        [agents[2], memories - 1],
      ] as const) {
        const found = await api.ask('POST', '/v1/memories/search', { query: `lot ${lot}`, agent_id: agent });
        expect(JSON.stringify(found.body.data)).to.include(`Lot ${lot} is kept`);
      }
      const made = await everyItem(api, `/v1/memories?agent_id=${agents[0]}`, 100);
      expect(made.filter((m) => String(m['content']).includes('meanwhile'))).to.have.length(10);
    }
  });

  it('an export is the same from each, and goes into another cluster of ids', async () => {
    // one after the other: an entity that changes while it is written is written anew, and each export has its record at the desk
    const files: string[] = [];
    for (const [n, process] of cluster.processes.entries()) {
      const file = join(home, `out-${n}`);
      await run('export', file, '--url', process.url);
      files.push(file);
    }
    const [one, other] = files.map((file) => readFileSync(file, 'utf8').split('\n').slice(1, -2));
    expect(one).to.deep.equal(other);
    await run('import', files[0]!, '--url', cluster.url, '--new-ids', 'copy');
    expect((await apis[1]!.page('/v1/memories')).pagination.total_count).to.equal(2 * (memories + 30));
  });
});
