/** Agents that an agent spawns: what they may, how long they are there. Spawning.N1 to Spawning.N3. */
import { deleteAgent, getAgent, listAgents, patchAgent, spawnAgent } from '../../../src/commands/agents.js';
import { expect } from 'chai';
import type { AgentConfig } from '../../../src/domain/agent/agent-config.js';
import type { Agent } from '../../../src/domain/model/model.js';
import type { StepContext } from '../../../src/reasoner/port.js';
import { sendMessage } from '../../../src/commands/mailbox.js';
import { StoreError } from '../../../src/store/port.js';
import { createKeyring } from '../../../src/secrets/keyring.js';
import {
  answers,
  call,
  caller,
  does,
  eventually,
  realClock,
  type Script,
  skippingClock,
} from '../../helpers/engine.js';
import { turn } from '../../helpers/turn.js';
import { codeOf, newestFirst, overStores, runIn, type Running, told } from './kit.js';

const spawnedIn = ({ transcript }: StepContext): string[] =>
  transcript.flat().flatMap(({ result }) => /^spawned \S+ as (\S+)$/.exec(result)?.[1] ?? []);

/** "spawn {JSON}[ then ask: QUESTION]" spawns one, or those of a list, asks what it has spawned, and tells all of it. */
const script: Script = (context) => {
  const { run, transcript, agent } = context;
  const [, given, question] = /^spawn (.*?)(?: then ask: (.*))?$/s.exec(run.input) ?? [];
  if (given === undefined) return answers(`${agent.name} (${agent.config.instructions}): ${run.input}`);
  const wanted = JSON.parse(given) as Record<string, string> | Record<string, string>[];
  if (transcript.length === 0) return does(...[wanted].flat().map((one) => call('spawn_agent', one)));
  if (question !== undefined && transcript.length === 1)
    return does(...spawnedIn(context).map((child) => call('ask_agent', { agent: child, question })));
  return answers(told(context));
};

const helper = { name: 'Helper', instructions: 'You help.' };
const multi: AgentConfig = { multi_step: true, spawn: { most: 2 } };
const ended = ['completed', 'failed', 'cancelled', 'timeout'] as const;

overStores('Agents that are spawned', (bed) => {
  const agentsOf = async (e: Running): Promise<readonly Agent[]> =>
    (await e.service.execute(caller, listAgents, {}, { page: newestFirst })).items;
  const lead = async (e: Running, config: AgentConfig = multi, more: object = {}): Promise<string> =>
    (await e.service.execute(caller, spawnAgent, {}, { name: 'Lead', config, ...more })).id;
  const outcome = async (e: Running, agent: string, input: string, more: object = {}): Promise<string> => {
    const { id } = await e.service.startRun(caller, agent, { input, ...more });
    return (await runIn(e, agent, id, ...ended)).output ?? '';
  };
  const spawns = (given: object, question?: string): string =>
    `spawn ${JSON.stringify(given)}${question === undefined ? '' : ` then ask: ${question}`}`;
  const children = async (e: Running): Promise<readonly Agent[]> =>
    (await agentsOf(e)).filter(({ spawned_by: by }) => by !== undefined);

  it('are asked by the run that has spawned them, side by side, as far as the settings say', async () => {
    const e = await bed.start(script);
    const id = await lead(e);
    const said = await outcome(e, id, spawns([helper, { ...helper, name: 'Other' }, helper], 'well?'));
    expect(said).to.match(
      /^spawn_agent true spawned Helper as agent_\S+; spawn_agent true spawned Other as agent_\S+; spawn_agent false 2 agents that it has spawned are there already, and that is the most; ask_agent true Helper \(You help\.\): well\?; ask_agent true Other \(You help\.\): well\?$/,
    );
    expect((await children(e)).map(({ name, spawned_by: by }) => [name, by])).to.have.deep.members([
      ['Helper', id],
      ['Other', id],
    ]);
    // one that is deleted makes room
    const [first] = await children(e);
    await e.service.execute(caller, deleteAgent, { id: first?.id ?? '' });
    expect(await outcome(e, id, spawns(helper))).to.match(/^spawn_agent true/);
  });

  it('are refused without the setting, to tokens with chosen scopes or tasks of their own, and to one another', async () => {
    const e = await bed.start(script);
    const id = await lead(e);
    const none = await lead(e, { multi_step: true, instructions: 'Use spawn_agent.' });
    expect(await outcome(e, none, spawns(helper))).to.contain('do not allow');
    for (const narrow of [
      { ...caller, powers: ['memory:read' as const] },
      { ...caller, ownTasks: true as const },
    ]) {
      const run = await e.service.startRun(narrow, id, { input: spawns(helper) });
      expect((await runIn(e, id, run.id, ...ended)).output).to.contain('may not have agents spawned');
    }
    for (const [given, why] of [
      [{ ...helper, tools: 'book' }, 'has no tool book; it has none'],
      [{ ...helper, ttl: 'soon' }, 'ttl must be a time'],
      [{ ...helper, ttl: '31d' }, 'ttl must be a time'],
      [{ ...helper, name: ' ' }, 'name '],
      [{ ...helper, instructions: 'x'.repeat(40_000) }, 'instructions '],
    ] as const)
      expect(await outcome(e, id, spawns(given)), why)
        .to.match(/^spawn_agent false/)
        .and.to.contain(why);
    expect(await children(e)).to.deep.equal([]);
    await outcome(e, id, spawns(helper));
    const [child] = await children(e);
    const widened = e.service.execute(caller, patchAgent, { id: child?.id ?? '' }, { config: { spawn: { most: 5 } } });
    expect(await codeOf(widened)).to.equal('VALIDATION_ERROR');
    const asked = await outcome(e, child?.id ?? '', spawns(helper), {
      overrides: { instructions: 'Use spawn_agent.' },
    });
    expect(asked).to.contain('an agent that was spawned spawns no others');
  });

  it('have at most what the one that spawns them has, whatever is said or overridden', async () => {
    const e = await bed.start(script);
    const secret = { header: 'Authorization', value: 'Bearer 1234567890' };
    const http = { kind: 'http' as const, name: 'book', description: '', url: 'https://example.com/book', secret };
    const config: AgentConfig = {
      ...multi,
      spawn: { most: 9, model: 'built-in' },
      validation_gate: 'none',
      budget: { tokens_per_run: 1000 },
      tools: [
        { ...http, approval: 'ask' },
        { kind: 'client', name: 'pay', description: '' },
      ],
    };
    const id = await lead(e, config, { memory_quota: 7, maxRuntimeSeconds: 30 });
    const brought = { tools: [{ kind: 'client' as const, name: 'steal', description: '' }] };
    expect(await outcome(e, id, spawns({ ...helper, tools: 'steal' }), { overrides: brought })).to.contain(
      'no tool steal',
    );
    const orders = 'Use hand_off, spawn_agent, ask_agent and share_with_hive. builtin_tools: all.';
    await outcome(e, id, spawns({ name: 'Helper', instructions: orders, tools: 'book' }), { overrides: brought });
    const [child] = await children(e);
    expect(child).to.deep.include({ hives: [], memory_quota: 7, maxRuntimeSeconds: 30, wake_on_message: false });
    expect(child?.config).to.deep.equal({
      multi_step: true,
      validation_gate: 'none',
      budget: { tokens_per_run: 1000 },
      model: 'built-in',
      instructions: orders,
      builtin_tools: ['recall', 'remember', 'update_memory', 'forget'],
      mailbox: { accept: [id] },
      tools: [{ ...http, approval: 'ask', secret: { header: 'Authorization' } }],
    });
    // the secret is sealed for the agent that has it
    const head = await bed.store.head({ workspace: 'default', kind: 'agent', id: child?.id ?? '' });
    const [tool] = (head?.snapshot.config as AgentConfig).tools ?? [];
    const sealed = tool?.kind === 'http' ? (tool.secret?.value ?? '') : '';
    const keyring = createKeyring([new Uint8Array(32)]);
    expect(keyring.open('push credentials', sealed, child?.id ?? '')).to.equal(secret.value);
    expect(keyring.open('push credentials', sealed, id)).to.equal(null);
  });

  it('wait for approval where that is asked for, and have the gate themselves', async () => {
    const e = await bed.start(script);
    const id = await lead(e, { ...multi, validation_gate: 'action' });
    const run = await e.service.startRun(caller, id, { input: spawns(helper) });
    const waiting = await runIn(e, id, run.id, 'paused');
    expect(waiting.waitingFor?.question).to.equal('approve spawn_agent Helper with no tools: You help.');
    expect(await children(e)).to.deep.equal([]);
    await e.service.resumeRun(caller, id, run.id, { decision: 'approve' });
    await runIn(e, id, run.id, 'completed');
    expect((await children(e)).map(({ config }) => config.validation_gate)).to.deep.equal(['action']);
  });

  it('run for nobody but whom they were spawned for', async () => {
    const e = await bed.start(script);
    const id = await lead(e);
    await outcome(e, id, spawns(helper), { subject: 'ana' });
    const [child] = await children(e);
    const of = child?.id ?? '';
    expect(await codeOf(e.service.startRun(caller, of, { input: 'hm' }))).to.equal('CONFLICT');
    expect(await codeOf(e.service.startRun(caller, of, { input: 'hm', subject: 'ben' }))).to.equal('CONFLICT');
    expect(await outcome(e, of, 'hm', { subject: 'ana' })).to.contain('hm');
    // nor does mail wake it for another
    await e.service.execute(caller, patchAgent, { id: of }, { wake_on_message: true });
    const mail = (more: object): Promise<unknown> =>
      e.service.execute(caller, sendMessage, { id: of }, { content: 'hm', from: id, ...more });
    expect(await codeOf(mail({}))).to.equal('CONFLICT');
    expect(await codeOf(mail({ subject: 'ben' }))).to.equal('CONFLICT');
    await mail({ subject: 'ana' });
  });

  it('are deleted with the agent that has spawned them, also where that is killed meanwhile', async () => {
    let e = await bed.start(script);
    const { store } = bed;
    const commit = store.commit.bind(store);
    for (let at = 1; at <= 6; at++) {
      const id = await lead(e);
      await outcome(e, id, spawns([helper, helper]));
      expect(await children(e)).to.have.lengthOf(2);
      let left = at;
      const running = e;
      store.commit = (...given) => {
        if (--left === 0) running.kill();
        return commit(...given);
      };
      const deleted = e.service.execute(caller, deleteAgent, { id }).catch(() => undefined);
      await eventually(
        async () => left <= 0 || (await Promise.race([deleted.then(() => true), turn().then(() => false)])),
      );
      store.commit = commit;
      if (left <= 0) e = await bed.start(script);
      await eventually(async () => (await agentsOf(e)).length === 0);
    }
  });

  it('are deleted beside the agent that has spawned them, in whatever order', async () => {
    const e = await bed.start(script);
    for (let turns = 0; turns < 12; turns++) {
      const id = await lead(e);
      await outcome(e, id, spawns([helper, helper]));
      const gone = (await children(e)).map(async ({ id: child }) =>
        e.service.execute(caller, deleteAgent, { id: child }),
      );
      for (let n = 0; n < turns; n++) await turn();
      await Promise.allSettled([...gone, e.service.execute(caller, deleteAgent, { id })]);
      await eventually(async () => (await agentsOf(e)).length === 0);
    }
  });

  it('are spawned once, whichever commit the process is killed at', async () => {
    const { store } = bed;
    const commit = store.commit.bind(store);
    let left = Infinity;
    let e = await bed.start(script);
    let killed: () => void = () => undefined;
    store.commit = (...given) => {
      if (--left === 0) {
        e.kill();
        killed();
      }
      return commit(...given);
    };
    let kills = 0;
    for (let at = 1; at <= 10; at++) {
      const id = await lead(e, { ...multi, spawn: { most: 64 } });
      const { id: run } = await e.service.startRun(caller, id, { input: spawns([helper, helper], 'well?') });
      // what is asked of a process that is killed is never answered
      const isKilled = new Promise<void>((resolve) => {
        killed = resolve;
      });
      left = at;
      await Promise.race([isKilled, runIn(e, id, run, ...ended)]);
      if (left <= 0) {
        kills++;
        e = await bed.start(script);
      }
      left = Infinity;
      const { output } = await runIn(e, id, run, ...ended);
      expect(output, `killed at commit ${at}`).to.match(
        /^(spawn_agent true \S+ Helper as \S+; ){2}ask_agent true .*ask_agent true/,
      );
      expect((await children(e)).filter(({ spawned_by: by }) => by === id)).to.have.lengthOf(2);
    }
    expect(kills).to.be.greaterThan(5);
  });

  it('are not there after their time, where they could not be made before', async () => {
    const skipping = skippingClock();
    const clock = { ...skipping, elapsed: realClock.elapsed };
    const e = await bed.start(script, { clock });
    const id = await lead(e);
    const { store } = bed;
    const commit = store.commit.bind(store);
    store.commit = async (...given) => {
      const [{ entity, seq }] = given;
      if (entity.kind === 'agent' && entity.id !== id && seq === 1) throw new StoreError('full', 'the disk is full');
      return commit(...given);
    };
    const { id: run } = await e.service.startRun(caller, id, { input: spawns({ ...helper, ttl: '30m' }) });
    await runIn(e, id, run, 'paused');
    const known = async () => (await store.head({ workspace: 'default', kind: 'agent', id }))?.snapshot;
    await eventually(async () => {
      clock.skip(60_000);
      const { outbox, children: there = {} } = (await known()) ?? {};
      const [one] = Object.values(there);
      return one === undefined || (one.ends === true && outbox === 1);
    });
    store.commit = commit;
    clock.skip(60_000);
    expect((await runIn(e, id, run, ...ended)).output).to.match(/^spawn_agent false not spawned: /);
    expect(await children(e)).to.deep.equal([]);
    expect((await known())?.children).to.equal(undefined);
  });

  it('end at their time, through a restart as well, and make room', async () => {
    const skipping = skippingClock();
    const clock = { ...skipping, elapsed: realClock.elapsed };
    let e = await bed.start(script, { clock });
    const id = await lead(e, { ...multi, spawn: { most: 1 } });
    for (const kill of [false, true]) {
      expect(await outcome(e, id, spawns({ ...helper, ttl: '30m' }))).to.match(/^spawn_agent true/);
      const [child] = await children(e);
      expect(Date.parse(child?.ends_at ?? '')).to.be.within(clock.now() + 1_700_000, clock.now() + 1_900_000);
      clock.skip(20 * 60_000);
      expect(await children(e)).to.have.lengthOf(1);
      if (kill) {
        e.kill();
        e = await bed.start(script, { clock });
      }
      clock.skip(11 * 60_000);
      await eventually(async () => (await children(e)).length === 0);
      expect(await codeOf(e.service.execute(caller, getAgent, { id: child?.id ?? '' }, {}))).to.equal('NOT_FOUND');
      await eventually(async () => {
        const now = await bed.store.head({ workspace: 'default', kind: 'agent', id });
        return now?.snapshot.children === undefined && now?.snapshot.outbox === 0;
      });
    }
  });
});
