/**
 * An upgrade without downtime as docs/operations.md describes it: two versions side by side on one database and one
 * Redis, processes replaced one by one under load, and one of them put back (ClusterIdentity.I5).
 */
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { cli } from '../../helpers/cli.js';
import { ready, startCluster, type Cluster, type ClusterProcess } from '../../helpers/cluster-processes.js';
import { earlierVersion, type EarlierVersion } from '../../helpers/earlier-version.js';
import { withClient } from '../../helpers/mongo-service.js';
import { client, everyItem, until, type Api } from '../api/support/client.js';
import { EventStream } from '../api/support/event-stream.js';

/** The first commit with the schema of the database and the protocol between processes that are those of now. */
const earlierCommit = '6e63792';

/** Adds one memory after the other, each until it is acknowledged. */
class Writer {
  readonly acknowledged: string[] = [];
  #ending = false;
  #refusal: string | null = null;
  readonly #work: Promise<void>;

  constructor(
    private readonly api: Api,
    private readonly agent: string,
  ) {
    this.#work = this.work();
  }

  /** Waits until that many more are acknowledged, all of them sent from now on. */
  async more(count: number): Promise<void> {
    const wanted = this.acknowledged.length + count + 1;
    await until(
      async () => this.acknowledged.length,
      (n) => n >= wanted || this.#refusal !== null,
      30_000,
    );
    expect(this.#refusal).to.equal(null);
  }

  async end(): Promise<void> {
    this.#ending = true;
    await this.#work;
  }

  private async work(): Promise<void> {
    for (let n = 0; !this.#ending; n++) {
      const content = `Lot ${n} is kept in hall ${n % 13}.`;
      while (!(await this.sent(content, `lot-${n}`))) if (this.#ending) return;
      this.acknowledged.push(content);
    }
  }

  /** What is not answered, or is to be tried again, is sent again under the same key. */
  private async sent(content: string, key: string): Promise<boolean> {
    const memory = { type: 'semantic', content, agent_id: this.agent };
    const answer = await this.api.ask('POST', '/v1/memories', memory, { 'Idempotency-Key': key }).catch(() => null);
    if (answer?.status === 201) return true;
    if (answer && answer.status !== 503) {
      this.#refusal = answer.text;
      this.#ending = true;
    }
    await pause(20);
    return false;
  }
}

describe('cluster: an upgrade without downtime', function () {
  this.timeout(180_000);
  let earlier: EarlierVersion;
  let cluster: Cluster;
  let api: Api;
  let load: Writer | undefined;
  before(async function () {
    const made = earlierVersion(earlierCommit);
    const started = made && (await startCluster({ gateways: 1, workers: 1, main: made.main }));
    if (made) earlier = made;
    if (!made || !started) return this.skip();
    cluster = started;
    api = client(() => cluster.url, cluster.key);
  });
  after(async () => {
    await load?.end();
    await cluster?.stop();
    earlier?.remove();
  });

  const spawn = async (config: object = {}): Promise<string> =>
    String((await api.one('POST', '/v1/agents/spawn', { name: 'Ada', config }, 201))['id']);
  const through = (process: ClusterProcess): Api => client(() => process.url, cluster.key);
  const toldBy = async (gateway: ClusterProcess, agents: readonly string[]): Promise<void> => {
    for (const agent of agents) {
      const { response } = await through(gateway).one('POST', `/v1/agents/${agent}/message`, {
        content: 'What is kept in hall 1?',
      });
      expect(response).to.be.a('string');
    }
  };

  it('workers first, then gateways: nothing acknowledged is lost, runs and streams go on, and one goes back', async () => {
    const [oldGateway, oldWorker] = [cluster.gateways[0]!, cluster.workers[0]!];
    const [keeper, gated] = [await spawn(), await spawn({ multi_step: true, validation_gate: 'action' })];
    const others = await Promise.all(Array.from({ length: 8 }, () => spawn()));
    const writer = (load = new Writer(api, keeper));
    const runs = `/v1/agent-constellations/${gated}/runs`;
    const begun = await api.one('POST', runs, { input: 'Remember that the quay is closed' }, 202);
    const run = `${runs}/${String(begun['id'])}`;
    await until(
      async () => (await api.one('GET', run))['status'],
      (status) => status === 'paused',
    );
    const first = await EventStream.open(through(oldGateway), `${run}/events`);
    await until(
      async () => first.frames.length,
      (n) => n > 0,
    );
    const last = first.frames.at(-1)?.id ?? '';

    const newWorker = await cluster.add('worker');
    await ready(newWorker);
    await toldBy(oldGateway, others); // some of them live in the new worker by now, and some in the old one
    expect(await oldWorker.end('SIGTERM')).to.deep.include({ code: 0 });
    await writer.more(5);
    await toldBy(oldGateway, others);
    const newGateway = await cluster.add('gateway');
    await ready(newGateway);
    await toldBy(newGateway, others);

    await through(newGateway).one('POST', `${run}/resume`, { decision: 'approve' }, 202);
    const second = await EventStream.open(through(newGateway), `${run}/events`, { 'Last-Event-ID': last });
    const [before, after] = [await first.end(), await second.end()];
    expect(after.at(-1)?.data, 'by the new gateway').to.include({ type: 'status', status: 'completed' });
    const ids = before.map((frame) => Number(frame.id));
    expect(ids, 'by the old gateway').to.deep.equal(ids.map((_, i) => i + 1));
    expect(ids.at(-1)).to.equal(Number(after.at(-1)?.id));
    expect(await oldGateway.end('SIGTERM')).to.deep.include({ code: 0 });
    await writer.more(5);

    const back = await cluster.add('worker', {}, earlier.main);
    await ready(back);
    expect(await newWorker.end('SIGTERM')).to.deep.include({ code: 0 });
    await writer.more(5);
    await toldBy(newGateway, others);
    await writer.end();
    const kept = await everyItem(api, `/v1/memories?agent_id=${keeper}`, 100);
    expect(kept.map((memory) => memory['content'])).to.have.members(writer.acknowledged);
  });

  it('versions that do not work side by side refuse to start, and say what to do', async () => {
    const url = cluster.settings['HIVEKEEP_MONGODB_URL'] ?? '';
    const start = async (): Promise<string> => {
      const env = {
        ...cluster.settings,
        HIVEKEEP_PORT: '0',
        HIVEKEEP_LEASE_SECONDS: '3',
        HIVEKEEP_ROOT_KEY: cluster.key,
      };
      const { code, stderr } = await cli(['serve'], env, undefined, 60_000);
      expect(code, stderr).to.equal(1);
      return stderr;
    };
    const set = (collection: string, id: string, fields: object): Promise<unknown> =>
      withClient(url, (db) =>
        db.db().collection<{ _id: string }>(collection).updateOne({ _id: id }, { $set: fields }, { upsert: true }),
      );
    // what a process of a later version would note of itself
    const redis = await withClient(url, (db) => db.db().collection('processes').findOne({}));
    const later = { redis: String(redis?.['redis']), host: 'box', leaseMs: 60_000, protocol: 2, at: new Date() };
    await set('processes', 'later', later);
    expect(await start()).to.match(/A process of this cluster on box is of another version .* stop all processes/);
    await withClient(url, (db) => db.db().collection<{ _id: string }>('processes').deleteOne({ _id: 'later' }));
    await set('meta', 'cluster', { schema: 1 });
    expect(await start()).to.match(/works on the database .* with an earlier version .* stop all processes/);
    await set('meta', 'cluster', { schema: 99 });
    expect(await start()).to.match(/was written by a newer version of hivekeep \(its schema is 99/);
    await set('meta', 'cluster', { schema: 2 });
  });
});
