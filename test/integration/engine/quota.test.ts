/**
 * The monthly quota through the engine (docs/api.md 6.3, 8.1, 8.4; actors/quota/): exact under concurrency, for every
 * way in which a memory comes to count, with steps that are aborted, commits that fail, months that end and kills.
 */
import { deleteAgent, spawnAgent } from '../../../src/commands/agents.js';
import { getUsage } from '../../../src/commands/workspace.js';
import { createHive, joinHive, listSharedMemories } from '../../../src/commands/hives.js';
import { madeKey } from '../../helpers/minted.js';
import { listMessages, sendMessage } from '../../../src/commands/mailbox.js';
import { expect } from 'chai';
import type { HivekeepError } from '../../../src/domain/shared/errors.js';
import type { Tier } from '../../../src/domain/shared/vocabulary.js';
import { monthAt } from '../../../src/domain/workspace/usage.js';
import type { Caller } from '../../../src/service.js';
import {
  answers,
  call,
  caller,
  does,
  echo,
  eventually,
  sandboxCaller as sandbox,
  skippingClock,
  type Script,
} from '../../helpers/engine.js';
import { MemoryStore } from '../../helpers/memory-store.js';
import { usedMonthCommit, workspaceCommit } from '../../helpers/stored.js';
import { type Bed, codeOf, HeldSteps, newestFirst, overStores, runIn, type Running } from './kit.js';
import { cancelRun, listRuns } from '../../../src/commands/runs.js';

const free: Caller = { ...caller, tier: 'free' };
const pro: Caller = { ...caller, tier: 'pro' };
const fact = (content = 'a fact', more: object = {}) => ({ type: 'semantic', content, ...more });
const soon = (ms = 3_600_000, now = Date.now()): string => new Date(now + ms).toISOString();

/** Workspace `default` of this tier, in which `used` memories count already. */
async function prepared(bed: Bed, tier: Tier, used = 0, now = Date.now()): Promise<void> {
  await bed.store.commit(workspaceCommit('default', tier, now - 1000));
  if (used > 0) await bed.store.commit(usedMonthCommit('default', used, now));
}

const used = async (e: Running, who: Caller): Promise<number> => (await e.service.execute(who, getUsage, {}, {})).used;
const tally = (codes: readonly string[]): Record<string, number> => {
  const out: Record<string, number> = {};
  for (const c of codes) out[c] = (out[c] ?? 0) + 1;
  return out;
};
const rememberAll =
  (...contents: string[]): Script =>
  (c) =>
    c.transcript.length === 0
      ? does(...contents.map((content) => call('remember', { content })))
      : answers(c.transcript[0]?.map((o) => (o.ok ? 'ok' : o.result)).join('; ') ?? '');

overStores('The monthly quota', (bed) => {
  it('lets exactly as many of 200 concurrent writes through as there is room, to agents, hives and the workspace', async () => {
    await prepared(bed, 'free', 950);
    const e = await bed.start();
    const { service } = e;
    const agents = await Promise.all([1, 2, 3].map((n) => service.execute(free, spawnAgent, {}, { name: `a${n}` })));
    const hive = await service.execute(free, createHive, {}, { name: 'h' });
    await service.execute(free, joinHive, { id: hive.id }, { agent_id: agents[0]!.id });
    const contexts = [...agents.map((a) => ({ agent_id: a.id })), { hive_id: hive.id }, {}];
    const errors: HivekeepError[] = [];
    const write = (i: number): Promise<unknown> =>
      i % 6 === 5
        ? service.shareMemory(free, hive.id, { ...fact(`n${i}`), agent_id: agents[0]!.id })
        : service.createMemory(free, fact(`n${i}`, contexts[i % 6]));
    const codes = await Promise.all(
      Array.from({ length: 200 }, (_, i) =>
        write(i).then(
          () => 'none',
          (error: unknown) => {
            errors.push(error as HivekeepError);
            return (error as HivekeepError).code;
          },
        ),
      ),
    );
    expect(tally(codes)).to.deep.equal({ none: 50, QUOTA_EXCEEDED: 150 });
    const usage = await service.execute(free, getUsage, {}, {});
    expect(usage).to.include({ used: 1000, limit: 1000, remaining: 0, mode: 'live' });
    for (const error of errors)
      expect(error.details).to.deep.equal({ limit: 1000, used: 1000, cycle: usage.cycle, scope: 'workspace' });
  });

  it('what expires does not count; to come to last needs a place; a delete makes room, at once', async () => {
    await prepared(bed, 'free', 999);
    const { service } = await bed.start();
    const expiring = await Promise.all(
      [1, 2, 3].map(() => service.createMemory(free, fact('short', { expires_at: soon() }))),
    );
    const codes = await Promise.all(expiring.map((m) => codeOf(service.patchMemory(free, m.id, { expires_at: null }))));
    expect(tally(codes)).to.deep.equal({ none: 1, QUOTA_EXCEEDED: 2 });
    const lasting = expiring[codes.indexOf('none')]!;
    const other = expiring[codes.indexOf('QUOTA_EXCEEDED')]!;
    expect(await codeOf(service.createMemory(free, fact()))).to.equal('QUOTA_EXCEEDED');
    expect(await codeOf(service.createMemory(free, fact('short', { expires_at: soon() })))).to.equal('none');
    expect(
      await codeOf(
        service.patchMemory(free, lasting.id, { expires_at: null, content: 'what lasts already needs no place' }),
      ),
    ).to.equal('none');
    expect(await codeOf(service.patchMemory(free, other.id, { content: 'what expires may be changed' }))).to.equal(
      'none',
    );
    await service.deleteMemory(free, lasting.id);
    expect(await codeOf(service.patchMemory(free, other.id, { expires_at: null }))).to.equal('none');
    await service.patchMemory(free, other.id, { expires_at: soon() });
    expect(await codeOf(service.createMemory(free, fact()))).to.equal('none');
    expect(await codeOf(service.createMemory(free, fact()))).to.equal('QUOTA_EXCEEDED');
  });

  it('mailbox messages never count; deleting an agent gives back what it had', async () => {
    await prepared(bed, 'free', 998);
    const e = await bed.start();
    const { service } = e;
    const agent = await service.execute(free, spawnAgent, {}, { name: 'a' });
    for (let i = 0; i < 5; i++) await service.execute(free, sendMessage, { id: agent.id }, { content: 'hello' });
    for (let i = 0; i < 2; i++) await service.createMemory(free, fact('x', { agent_id: agent.id }));
    expect(await codeOf(service.createMemory(free, fact()))).to.equal('QUOTA_EXCEEDED');
    await service.execute(free, deleteAgent, { id: agent.id });
    expect(await used(e, free)).to.equal(998);
    expect(await codeOf(service.createMemory(free, fact()))).to.equal('none');
  });

  it('what is wrong otherwise is said first; what is refused uses nothing up', async () => {
    await prepared(bed, 'free', 1000);
    const { service } = await bed.start();
    const agent = await service.execute(free, spawnAgent, {}, { name: 'a', memory_quota: 0 });
    expect(await codeOf(service.createMemory(free, fact('x', { agent_id: 'agent_none' })))).to.equal('NOT_FOUND');
    expect(await codeOf(service.patchMemory(free, 'mem_none', { expires_at: null }))).to.equal('NOT_FOUND');
    const error = await service.createMemory(free, fact('x', { agent_id: agent.id })).then(
      () => null,
      (e: unknown) => e as HivekeepError,
    );
    expect(error?.details).to.deep.equal({ limit: 0, used: 0, cycle: null, scope: 'agent' });
  });

  it('sandbox and live apart: the sandbox has 100, whatever the tier', async () => {
    await prepared(bed, 'enterprise');
    const e = await bed.start();
    const { service } = e;
    const codes = await Promise.all(
      Array.from({ length: 130 }, (_, i) => codeOf(service.createMemory(sandbox, fact(`n${i}`)))),
    );
    expect(tally(codes)).to.deep.equal({ none: 100, QUOTA_EXCEEDED: 30 });
    expect(await codeOf(service.createMemory(caller, fact('live')))).to.equal('none');
    expect([await used(e, sandbox), await used(e, caller)]).to.deep.equal([100, 1]);
    expect(await service.execute(caller, getUsage, {}, {})).to.include({ limit: null, remaining: null });
  });

  it('the same command again is answered as before, although the month is full now', async () => {
    await prepared(bed, 'free', 999);
    const { service } = await bed.start();
    const named = (id: string): Caller => ({ ...free, idempotencyKey: { id, bodyHash: 'h', replayed: false } });
    const first = await service.createMemory(named('c1'), fact());
    const again = named('c1');
    expect(await service.createMemory(again, fact())).to.deep.equal(first);
    expect(again.idempotencyKey?.replayed).to.equal(true);
    expect(await codeOf(service.createMemory(named('c2'), fact()))).to.equal('QUOTA_EXCEEDED');
  });

  it('exact after a kill in the middle of writing', async () => {
    await prepared(bed, 'free', 900);
    let e = await bed.start();
    const first = e.service;
    const agent = await first.execute(free, spawnAgent, {}, { name: 'a' });
    let answered = 0;
    for (let i = 0; i < 60; i++)
      void first.createMemory(free, fact(`n${i}`, i % 2 ? { agent_id: agent.id } : {})).then(
        () => {
          answered++;
        },
        () => undefined,
      );
    await eventually(async () => answered > 0 || bed.store instanceof MemoryStore, 'an answer');
    e.kill();
    e = await bed.start();
    const stored = (await e.service.listMemories(free, {}, newestFirst)).items.length;
    expect(stored).to.be.at.least(answered);
    expect(await used(e, free)).to.equal(900 + stored);
    const codes = await Promise.all(
      Array.from({ length: 120 }, (_, i) => codeOf(e.service.createMemory(free, fact(`m${i}`)))),
    );
    expect(tally(codes)).to.deep.equal({ none: 100 - stored, QUOTA_EXCEEDED: 20 + stored });
  });

  describe('in a step', () => {
    it('what gets no place is an outcome that the reasoner sees', async () => {
      await prepared(bed, 'free', 998);
      const { service } = await bed.start(rememberAll('one', 'two', 'three'));
      const agent = await service.execute(free, spawnAgent, {}, { name: 'a', config: { multi_step: true } });
      const reply = await service.messageAgent(free, agent.id, { content: 'go' });
      expect(reply.response).to.match(/^ok; ok; the workspace's quota of 1000 memories in \d{4}-\d\d is used up$/);
      expect((await service.execute(free, getUsage, {}, {})).used).to.equal(1000);
    });

    it('many runs and many requests for the last places: none too many', async () => {
      await prepared(bed, 'free', 980);
      const e = await bed.start(rememberAll('one', 'two'));
      const { service } = e;
      const agents = await Promise.all(
        Array.from({ length: 10 }, (_, n) =>
          service.execute(free, spawnAgent, {}, { name: `a${n}`, config: { multi_step: true } }),
        ),
      );
      const replies = Promise.all(agents.map((a) => service.messageAgent(free, a.id, { content: 'go' })));
      const codes = await Promise.all(Array.from({ length: 20 }, () => codeOf(service.createMemory(free, fact()))));
      const remembered = (await replies)
        .flatMap((r) => (r.response ?? '').split('; '))
        .filter((o) => o === 'ok').length;
      expect(codes.filter((c) => c === 'none').length + remembered).to.equal(20);
      expect(await used(e, free)).to.equal(1000);
    });

    it('what is approved at a gate later takes its place then', async () => {
      await prepared(bed, 'free', 999);
      const e = await bed.start(rememberAll('one'));
      const { service } = e;
      const agent = await service.execute(
        free,
        spawnAgent,
        {},
        {
          name: 'a',
          config: { multi_step: true, validation_gate: 'action' },
        },
      );
      const runs = [
        await service.startRun(free, agent.id, { input: 'go' }),
        await service.startRun(free, agent.id, { input: 'go' }),
      ];
      for (const run of runs) await runIn(e, agent.id, run.id, 'paused');
      expect(await used(e, free), 'nothing is held meanwhile').to.equal(999);
      for (const run of runs) await service.resumeRun(free, agent.id, run.id, { decision: 'approve' });
      const outputs = await Promise.all(
        runs.map(async (run) => (await runIn(e, agent.id, run.id, 'completed')).output),
      );
      expect(
        outputs.filter((o) => o === 'ok'),
        outputs.join(),
      ).to.have.length(1);
      expect(outputs.filter((o) => o?.includes('is used up'))).to.have.length(1);
      expect(await used(e, free)).to.equal(1000);
    });

    it('cancelled while its reasoner thinks, or killed, it holds nothing', async () => {
      await prepared(bed, 'free', 999);
      const steps = new HeldSteps();
      let e = await bed.start(steps.script);
      const agent = await e.service.execute(free, spawnAgent, {}, { name: 'a' });
      const run = await e.service.startRun(free, agent.id, { input: 'go' });
      const held = await steps.next();
      await e.service.execute(free, cancelRun, { id: agent.id, runId: run.id });
      held.answer(does(call('remember', { content: 'too late' })));
      await e.service.startRun(free, agent.id, { input: 'go' });
      (await steps.next()).answer(does(call('remember', { content: 'killed' }), call('answer', { content: 'ok' })));
      e.kill();
      e = await bed.start(rememberAll('again'));
      await eventually(
        async () =>
          (await e.service.execute(free, listRuns, { id: agent.id }, { page: newestFirst })).items.every(
            (r) => r.status === 'completed' || r.status === 'cancelled',
          ),
        'the run',
      );
      expect(await used(e, free)).to.equal(1000);
      expect((await e.service.listMemories(free, {}, newestFirst)).items).to.have.length(1);
    });

    it('what is shared takes its place where it arrives; without one the sender is told', async () => {
      await prepared(bed, 'free', 999);
      const script: Script = (c) =>
        c.transcript.length === 0
          ? does(call('share_with_hive', { content: `known by ${c.agent.name}`, type: 'note' }))
          : answers(c.transcript[0]?.[0]?.ok ? 'shared' : 'refused');
      const e = await bed.start(script);
      const { service } = e;
      const hive = await service.execute(free, createHive, {}, { name: 'h' });
      const agents = await Promise.all(
        [1, 2, 3].map((n) =>
          service.execute(free, spawnAgent, {}, { name: `a${n}`, hives: [hive.id], config: { multi_step: true } }),
        ),
      );
      const said = (await Promise.all(agents.map((a) => service.messageAgent(free, a.id, { content: 'go' })))).map(
        (r) => r.response,
      );
      const bounced = await eventually(async () => {
        const inboxes = await Promise.all(
          agents.map((a) => service.execute(free, listMessages, { id: a.id }, { page: newestFirst })),
        );
        const back = inboxes.flatMap((i) => i.items);
        return (
          (await used(e, free)) === 1000 && back.length === said.filter((s) => s === 'shared').length - 1 && [back]
        );
      }, 'the shares');
      for (const message of bounced[0] ?? [])
        expect(message.content).to.match(/could not be delivered to hive_.*: the workspace's quota of 1000 memories/);
      expect(
        (await service.execute(free, listSharedMemories, { id: hive.id }, { page: newestFirst })).items,
      ).to.have.length(1);
    });
  });

  it('resets on the first of the month at 00:00 UTC', async () => {
    const clock = skippingClock();
    const now = clock.now();
    const month = monthAt(now);
    await prepared(bed, 'free', 1000, now);
    const e = await bed.start(echo, { clock });
    const { service } = e;
    const before = await service.execute(free, getUsage, {}, {});
    clock.skip(Date.parse(before.cycle.end) - now - 60_000);
    expect(await codeOf(service.createMemory(free, fact()))).to.equal('QUOTA_EXCEEDED');
    const old = await service.createMemory(free, fact('short', { expires_at: soon(3_600_000, clock.now()) }));
    clock.skip(60_000);
    const after = await service.execute(free, getUsage, {}, {});
    expect(after).to.include({ used: 0, remaining: 1000 });
    expect(after.cycle.start).to.equal(before.cycle.end);
    expect(monthAt(clock.now())).to.not.equal(month);
    await service.createMemory(free, fact());
    await service.patchMemory(free, old.id, { expires_at: null });
    expect(await used(e, free)).to.equal(2);
  });

  it('usage by agent: of the cycle, what is stored, the quota; one alone with agent_id', async () => {
    await prepared(bed, 'free');
    const { service } = await bed.start();
    const a = await service.execute(free, spawnAgent, {}, { name: 'a', memory_quota: 7 });
    const b = await service.execute(free, spawnAgent, {}, { name: 'b' });
    for (const more of [{}, { expires_at: soon() }])
      await service.createMemory(free, fact('x', { agent_id: a.id, ...more }));
    const models = { requests: 0, inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 };
    const ofA = { agent_id: a.id, name: 'a', used: 1, memories: 2, memory_quota: 7, models };
    const ofB = { agent_id: b.id, name: 'b', used: 0, memories: 0, memory_quota: null, models };
    expect((await service.execute(free, getUsage, {}, {})).by_agent).to.have.deep.members([ofA, ofB]);
    expect((await service.execute(free, getUsage, {}, { agent_id: a.id })).by_agent).to.deep.equal([ofA]);
    expect(await codeOf(service.execute(free, getUsage, {}, { agent_id: 'agent_none' }))).to.equal('NOT_FOUND');
    expect(await service.execute(free, getUsage, {}, {})).to.deep.include({ by_type: { semantic: 2 }, used: 1 });
  });

  describe('alerts', () => {
    const listen = (e: Running): { alerts: unknown[]; stop: () => void } => {
      const alerts: unknown[] = [];
      const gone = new AbortController();
      void (async () => {
        for await (const event of e.service.workspaceEvents(pro, gone.signal))
          if (event.type === 'usage.alert') alerts.push(event.data);
      })();
      return {
        alerts,
        stop: () => {
          gone.abort();
        },
      };
    };
    const note = (e: Running): Promise<unknown> => e.service.createMemory(pro, fact());
    const percents = (alerts: unknown[]): unknown[] => alerts.map((a) => (a as { percent: number }).percent);
    /** Commits at the desk come after what they follow from; one more makes sure that they are there. */
    const told = async (e: Running): Promise<void> => {
      await new Promise((resolve) => {
        setTimeout(resolve, 20);
      });
      await madeKey(e.service, pro, { name: 'k', mode: 'live' }).then(
        () => undefined,
        () => undefined,
      );
    };

    it('at 80 and 95 %, once a cycle each, also after a restart', async () => {
      await prepared(bed, 'pro', 39_998);
      let e = await bed.start();
      let heard = listen(e);
      await note(e);
      await told(e);
      expect(heard.alerts).to.deep.equal([]);
      await Promise.all([note(e), note(e), note(e)]);
      await eventually(async () => heard.alerts.length > 0, 'the alert');
      const memory = await e.service.createMemory(pro, fact());
      await e.service.deleteMemory(pro, memory.id);
      await told(e);
      const { cycle } = await e.service.execute(pro, getUsage, {}, {});
      expect(heard.alerts).to.have.length(1);
      expect(heard.alerts[0])
        .to.deep.include({ percent: 80, limit: 50_000, mode: 'live', cycle })
        .and.have.property('used')
        .within(40_000, 40_002);
      e.kill();
      e = await bed.start();
      heard = listen(e);
      await note(e);
      await told(e);
      expect(heard.alerts).to.deep.equal([]);
      heard.stop();
    });

    it('at thresholds that were written beside the desk, as an import does, once the desk is loaded again', async () => {
      await prepared(bed, 'pro', 39_000);
      const e = await bed.start();
      const heard = listen(e);
      await note(e);
      await told(e);
      const head = (await bed.store.load({ workspace: 'default', kind: 'workspace', id: 'default' }))!;
      const alertSettings = { thresholds: [78], updated_at: '2026-11-22T10:00:00.000Z' };
      await bed.store.commit({
        ...head,
        seq: head.seq + 1,
        snapshot: { ...head.snapshot, alertSettings },
        puts: [],
        deletes: [],
        records: [],
        previousCounts: head.counts,
      });
      await note(e);
      await eventually(async () => heard.alerts.length > 0, 'the alert');
      expect(percents(heard.alerts)).to.deep.equal([78]);
      heard.stop();
    });

    it('both where usage jumps past both; none for free, none for the sandbox', async () => {
      await prepared(bed, 'pro', 47_500);
      const e = await bed.start();
      const heard = listen(e);
      await e.service.createMemory({ ...pro, tier: 'free' }, fact()).catch(() => undefined);
      await Promise.all(Array.from({ length: 100 }, () => e.service.createMemory(sandbox, fact())));
      await told(e);
      expect(heard.alerts).to.deep.equal([]);
      await note(e);
      await eventually(async () => heard.alerts.length === 2, 'the alerts');
      expect(percents(heard.alerts)).to.deep.equal([80, 95]);
      heard.stop();
    });

    it('a crash between the crossing and the note leaves it to the next memory', async () => {
      await prepared(bed, 'pro', 40_000); // crossed, and never noted
      const e = await bed.start();
      const heard = listen(e);
      await note(e);
      await eventually(async () => heard.alerts.length === 1, 'the alert');
      heard.stop();
    });

    it('a full month that was never told is told with its refusal', async () => {
      await prepared(bed, 'pro', 50_000);
      const e = await bed.start();
      const heard = listen(e);
      expect(await codeOf(note(e))).to.equal('QUOTA_EXCEEDED');
      await eventually(async () => heard.alerts.length === 2, 'the alerts');
      heard.stop();
    });
  });
});
