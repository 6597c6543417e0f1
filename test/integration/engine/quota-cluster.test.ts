/**
 * The monthly quota counted for several processes (actors/quota/quota-desk.ts: QuotaDesk.K1-K4,
 * actors/quota/cluster-quota.ts): never above the limit and never a false refusal, whoever holds the desk, dies, is
 * stopped or does not hear.
 */
import { expect } from 'chai';
import type { QuotaReservation } from '../../../actors/quota/reservation.js';
import { commitGraceMs, reservationMs } from '../../../actors/quota/quota-desk.js';
import { gateAfter, gateAlone, type WorkspaceSnapshot } from '../../../src/domain/workspace.js';
import { call, does, answers, type Script } from '../../helpers/engine.js';
import { all, enterprise, fact, free, type Process, QuotaCluster, settle, tally } from './quota-cluster-kit.js';

const windowMs = reservationMs + commitGraceMs;
const whose = { workspace: 'default', tier: 'free' } as const;

describe('The monthly quota in a cluster', () => {
  let cluster: QuotaCluster;
  const at = (i: number): Process => cluster.processes[i] as Process;
  const write = (process: Process, more: object = {}): Promise<unknown> =>
    process.service.createMemory(free, fact(more));
  const taken = (process: Process, n = 1): Promise<QuotaReservation> =>
    Promise.resolve(process.quota.take(whose, n)) as Promise<QuotaReservation>;
  afterEach(() => cluster.stop());

  it('lets exactly as many of 90 concurrent writes through as there is room, from three processes to several entities', async () => {
    cluster = await new QuotaCluster().prepare('free', 950);
    const agents = await Promise.all([0, 1, 2].map((i) => at(i).service.spawnAgent(free, { name: `a${i}` })));
    const told = await all(
      cluster,
      Array.from({ length: 90 }, (_, i) => write(at(i % 3), i % 4 === 3 ? {} : { agent_id: agents[i % 3]!.id })),
    );
    expect(tally(told)).to.deep.equal({ none: 50, QUOTA_EXCEEDED: 40 });
    expect(await cluster.used()).to.equal(1000);
    for (const { code, usedThen } of told) if (code === 'QUOTA_EXCEEDED') expect(usedThen).to.equal(1000);
  });

  it('QuotaGate.Q1: a batch of more memories than may be reserved at a time is exact, too, and so is its repeat', async () => {
    cluster = await new QuotaCluster().prepare('free', 700);
    const agent = await at(0).service.spawnAgent(free, { name: 'a' });
    const batch = async (content: string, size: number): Promise<string> => {
      const named = { ...free, idempotencyKey: { id: content, bodyHash: content, replayed: false } };
      const memories = Array.from({ length: size }, (_, i) => fact({ agent_id: agent.id, content: `${content} ${i}` }));
      const { created, failed, results } = await at(1).service.createMemories(named, { memories });
      const codes = new Set(
        results.map(({ error }, i) => (error ? error.code : i < created ? 'added' : 'out of order')),
      );
      return `${created} and ${failed}: ${[...codes].join()}`;
    };
    expect(await batch('first', 150)).to.equal('150 and 0: added');
    expect(await cluster.used()).to.equal(850);
    expect(await batch('second', 250)).to.equal('150 and 100: added,QUOTA_EXCEEDED');
    expect([await batch('first', 150), await batch('second', 250)]).to.deep.equal([
      '150 and 0: added',
      '150 and 100: added,QUOTA_EXCEEDED',
    ]);
    expect(await cluster.used()).to.equal(1000);
    expect(tally(await all(cluster, [write(at(2))]))).to.deep.equal({ QUOTA_EXCEEDED: 1 });
  });

  for (const late of [false, true])
    it(`steps of other processes take their places there too${late ? ', and others where an outage outlived the first' : ''}`, async () => {
      const script: Script = (c) =>
        c.transcript.length === 0
          ? does(...['one', 'two', 'three'].map((content) => call('remember', { content })))
          : answers(c.transcript[0]?.map((o) => (o.ok ? 'ok' : o.result)).join('; ') ?? '');
      cluster = await new QuotaCluster().prepare('free', 998, ['a', 'b'], script);
      const { service } = at(1);
      const agent = await service.spawnAgent(free, { name: 'a', config: { multi_step: true } });
      let taken = 0;
      for (const { quota } of cluster.processes) {
        const takeFor = quota.takeFor.bind(quota);
        quota.takeFor = async (workspace, n) => {
          const place = await takeFor(workspace, n);
          if (++taken === 1 && late) cluster.clock.skip(windowMs);
          return place;
        };
      }
      expect((await service.messageAgent(free, agent.id, { content: 'go' })).response).to.match(
        /^ok; ok; the workspace's quota of 1000 memories in \d{4}-\d\d is used up$/,
      );
      expect(await cluster.used()).to.equal(1000);
      expect(taken).to.equal(late ? 2 : 1);
    });

  it('QuotaDesk.K2: processes whose clocks are a minute apart store memories for one another', async () => {
    cluster = await new QuotaCluster().prepare('free', 990, ['a']);
    const [ahead, behind] = [cluster.start('b', undefined, 60_000), cluster.start('c', undefined, -60_000)];
    const agents = await Promise.all(
      [at(0), ahead, behind].map((p, i) => p.service.spawnAgent(free, { name: `a${i}` })),
    );
    const writes = [at(0), ahead, behind].flatMap((p) => agents.map(({ id }) => write(p, { agent_id: id })));
    expect(tally(await all(cluster, [...writes, write(ahead), write(behind)]))).to.deep.equal({
      none: 10,
      QUOTA_EXCEEDED: 1,
    });
    expect(await cluster.used()).to.equal(1000);
  });

  it('an unlimited tier asks nobody', async () => {
    cluster = await new QuotaCluster().prepare('enterprise', 0, ['a', 'b']);
    await at(1).service.createMemory(enterprise, fact());
    expect(cluster.asked, 'only the memory itself').to.equal(1);
  });

  it('QuotaDesk.K3: far from the limit a desk that moves keeps nobody waiting', async () => {
    cluster = await new QuotaCluster().prepare('free', 500);
    const begun = cluster.clock.now();
    for (let i = 0; i < 6; i++) {
      cluster.moveDesk(at(i % 3));
      await write(at((i + 1) % 3));
    }
    expect(cluster.clock.now() - begun).to.be.at.most(2_000);
  });

  it('QuotaDesk.K3: near the limit, who asks a gate that others may have preceded is told to come again, not refused; then it is exact', async () => {
    cluster = await new QuotaCluster().prepare('free', 990);
    await write(at(0));
    cluster.moveDesk(at(1));
    const early = await all(cluster, [write(at(2)), write(at(0))]);
    expect(tally(early)).to.deep.equal({ UNAVAILABLE: 2 });
    for (const { retryAfter } of early) expect(retryAfter).to.be.within(1, windowMs / 1000);
    cluster.clock.skip(windowMs);
    expect(
      tally(
        await all(
          cluster,
          Array.from({ length: 20 }, (_, i) => write(at(i % 3))),
        ),
      ),
    ).to.deep.equal({ none: 9, QUOTA_EXCEEDED: 11 });
    expect(await cluster.used()).to.equal(1000);
  });

  it('QuotaDesk.K3: gates that follow each other quickly reckon with all before them that may have something under way', () => {
    cluster = new QuotaCluster();
    const first = gateAfter(undefined, 'a');
    const second = gateAfter(first, 'b');
    const third = gateAfter(second, 'c');
    expect([first, second, third].map((g) => g.behind)).to.deep.equal([0, 1, 2]);
    expect(gateAfter(third, 'c'), 'the same again').to.equal(third);
    expect(gateAlone(third, 'b'), 'an earlier gate, which says so late').to.equal(third);
    expect(gateAfter(gateAlone(third, 'c'), 'd').behind, 'after a while, only with the last').to.equal(1);
  });

  it('QuotaDesk.K3: a gate that has been open for long enough says so, and the next allows for it alone', async () => {
    cluster = await new QuotaCluster().prepare('free', 500);
    const behind = (): number | undefined => {
      const head = cluster.store.head({ workspace: 'default', kind: 'workspace', id: 'default' });
      return (head?.snapshot as unknown as WorkspaceSnapshot).gate?.behind;
    };
    for (const [i, expected] of [0, 1, 2].entries()) {
      cluster.moveDesk(at(i));
      await write(at(i));
      expect(behind()).to.equal(expected);
    }
    cluster.clock.skip(windowMs);
    await settle(50);
    expect(behind()).to.equal(0);
    cluster.moveDesk(at(0));
    await write(at(0));
    expect(behind()).to.equal(1);
  });

  it('the owner of the desk dies while its places are in use: none too many', async () => {
    cluster = await new QuotaCluster().prepare('free', 900);
    // ten writes have their places, and are held up on their way to the store
    let go = (): void => undefined;
    let held = 0;
    const gate = new Promise<void>((resolve) => {
      go = resolve;
    });
    cluster.holdRequest = (message) => (message.type === 'remember' ? (held++, gate) : undefined);
    const agents = await Promise.all([1, 2].map((i) => at(i).service.spawnAgent(free, { name: `a${i}` })));
    const early = Array.from({ length: 10 }, (_, i) => write(at(1 + (i % 2)), { agent_id: agents[i % 2]!.id }));
    await cluster.until(() => held === 10, 0);
    cluster.holdRequest = () => undefined;
    at(0).kill();
    cluster.moveDesk(at(1));
    const late = all(
      cluster,
      Array.from({ length: 150 }, () => write(at(2))),
    );
    await settle(50);
    go();
    const told = [...(await all(cluster, early)), ...(await late)];
    expect(await cluster.used()).to.be.at.most(1000);
    expect(tally(told)).to.not.have.property('QUOTA_EXCEEDED');
    cluster.clock.skip(windowMs);
    const room = 1000 - (await cluster.used());
    expect(
      tally(
        await all(
          cluster,
          Array.from({ length: 120 }, () => write(at(1))),
        ),
      ),
    ).to.deep.equal({ none: room, QUOTA_EXCEEDED: 120 - room });
  });

  it('ClusterQuota.H1: a holder that was stopped past its time does nothing on its place, and what it had sent has no effect', async () => {
    cluster = await new QuotaCluster().prepare('free', 999);
    const place = await taken(at(1));
    expect(place.granted).to.equal(1);
    cluster.clock.skip(reservationMs);
    expect(place.claim(), 'of a step').to.equal(false);
    const other = await taken(at(2));
    expect(other.granted, 'whoever gives back what it cannot use makes room').to.equal(1);
    let release = (): void => undefined;
    const stopped = new Promise<void>((resolve) => {
      release = resolve;
    });
    cluster.holdRequest = (message) => (message.type === 'remember' ? stopped : undefined);
    const sent = other.during((full, deadline) =>
      at(2)
        .actors.ask({ workspace: 'default', kind: 'hive', id: 'hive_big' }, { type: 'wake' })
        .then(async () => {
          await stopped;
          return at(2).actors.ask(
            { workspace: 'default', kind: 'hive', id: 'hive_big' },
            { type: 'remember', input: fact(), full, deadline },
          );
        }),
    );
    await settle(20);
    cluster.clock.skip(reservationMs + 1);
    release();
    expect((await all(cluster, [sent]))[0]?.code).to.equal('UNAVAILABLE');
    expect(await cluster.used()).to.equal(999);
  });

  it('QuotaDesk.K2: places of a process that died end by themselves, when nothing can come of them; until then nobody is refused for them', async () => {
    cluster = await new QuotaCluster().prepare('free', 995);
    expect((await taken(at(1), 5)).granted).to.equal(5);
    at(1).kill();
    const waiting = await all(cluster, [write(at(2))]);
    expect(tally(waiting)).to.deep.equal({ UNAVAILABLE: 1 });
    cluster.clock.skip(windowMs);
    await settle(20);
    expect(
      tally(
        await all(
          cluster,
          Array.from({ length: 7 }, () => write(at(2))),
        ),
      ),
    ).to.deep.equal({ none: 5, QUOTA_EXCEEDED: 2 });
  });

  it('QuotaDesk.K2: when the word that places have ended is lost, it is told again', async () => {
    cluster = await new QuotaCluster().prepare('free', 998);
    let lost = 0;
    cluster.holdRequest = (message) => {
      if (message.type === 'reservationsEnded' && lost++ < 2) throw new Error('the connection is cut');
      return undefined;
    };
    await write(at(1));
    const begun = cluster.clock.now();
    expect(tally(await all(cluster, [write(at(2)), write(at(2))]))).to.deep.equal({ none: 1, QUOTA_EXCEEDED: 1 });
    expect(lost).to.be.greaterThan(2);
    expect(cluster.clock.now() - begun).to.be.below(reservationMs);
  });

  it("QuotaDesk.K1: of two processes that take themselves for the desk's, the one whose gate is older grants nothing more", async () => {
    cluster = await new QuotaCluster().prepare('free', 850);
    await write(at(2)); // the gate of the first, which the third goes on asking
    cluster.moveDesk(at(1), [at(2)]);
    await write(at(0));
    cluster.clock.skip(1001);
    const desk = at(0).quota.desk;
    expect(desk.hasGate('default')).to.equal(true);
    const place = await new Promise<unknown>((resolve) => {
      desk.serve('default', { type: 'reserveMemories', id: 'x', tier: 'free', n: 1 }, { resolve, reject: resolve });
    });
    expect(place).to.have.nested.property('details.reason', 'GateMoved');
    expect(desk.hasGate('default')).to.equal(false);
  });

  it('QuotaDesk.K4: a request that arrives twice is granted once', async () => {
    cluster = await new QuotaCluster().prepare('free', 999);
    await cluster.desk.actors.ask(
      { workspace: 'default', kind: 'workspace', id: 'default' },
      { type: 'reserveMemories', id: 'once', tier: 'free', n: 1 },
    );
    const again = await cluster.desk.actors.ask(
      { workspace: 'default', kind: 'workspace', id: 'default' },
      { type: 'reserveMemories', id: 'once', tier: 'free', n: 1 },
    );
    expect(again).to.include({ granted: 1, full: null });
    await cluster.desk.actors.ask(
      { workspace: 'default', kind: 'workspace', id: 'default' },
      { type: 'reservationsEnded', ids: ['once'] },
    );
    expect(tally(await all(cluster, [write(at(1)), write(at(1))]))).to.deep.equal({ none: 1, QUOTA_EXCEEDED: 1 });
  });

  it('more places than a gate has under way at a time are waited for, and the desk goes on with its other work', async () => {
    cluster = await new QuotaCluster().prepare('free', 0);
    const first = await taken(at(1), 60);
    const rest = taken(at(2), 60);
    await settle(50);
    await at(0).service.mintKey(free, { name: 'k', mode: 'live' });
    first.release();
    expect((await rest).granted).to.equal(60);
    (await rest).release();
    expect((await taken(at(1), 300)).granted, 'no more than that').to.equal(100);
  });
});
