/**
 * Pushes through the engine (docs/api.md 2.10, 6.2): every change, in order per config, through failures and restarts;
 * what is given up can be sent again.
 */
import { spawnAgent } from '../../../src/commands/agents.js';
import { expect } from 'chai';
import type { TaskPush, TaskInput } from '../../../src/domain/task/task.js';
import { type Push, PushError } from '../../../src/push/port.js';
import { invalid } from '../../../src/domain/shared/errors.js';
import { answers, call, caller, does, echo, eventually } from '../../helpers/engine.js';
import { agentRef, codeOf, HeldSteps, newestFirst, overStores } from './kit.js';
import { setPush, getTask, listPush, deletePush } from '../../../src/commands/tasks.js';
import { listDeadLetters, replayDeadLetter } from '../../../src/commands/dead-letters.js';
import { listRuns } from '../../../src/commands/runs.js';

const said = (text: string, messageId = 'm1'): TaskInput['message'] => ({
  messageId,
  role: 'user',
  parts: [{ kind: 'text', text }],
});
const config = { url: 'https://receiver.example/hook?key=1', token: 'secret', version: '0.3' as const };

/** A receiver in the test's hand. */
class Receiver implements Push {
  readonly got: { config: string; status: string; task: string; url: string }[] = [];
  tries = 0;
  /** What is wrong with a try; null lets it through. */
  problem: (item: TaskPush, attempt: number) => Error | null | Promise<Error> = () => null;

  check({ url }: { url: string }): Promise<void> {
    return url.includes('private')
      ? Promise.reject(invalid({ path: 'url', message: 'must not be private' }))
      : Promise.resolve();
  }
  turn: Push['turn'] = () => Promise.resolve(() => undefined);
  open = (): Promise<never> => Promise.reject(new Error('nothing is called here'));

  async deliver(item: TaskPush): Promise<void> {
    const problem = await this.problem(item, ++this.tries);
    if (problem) throw problem;
    this.got.push({ config: item.config.id, status: item.task.status, task: item.task.id, url: item.config.url });
  }
  close(): Promise<void> {
    return Promise.resolve();
  }

  of(id: string): string[] {
    return this.got.filter((g) => g.config === id).map((g) => g.status);
  }
}

const down = (): Error => new PushError('answered 503');
const never = new Promise<never>(() => undefined);

overStores('Pushes', (bed) => {
  it('tell every change of the status, in order for each config, and leave nothing behind', async () => {
    const push = new Receiver();
    const { service, store } = await bed.start(
      (c) => (c.humanInputs.length === 0 ? does(call('ask_human', { question: '?' })) : answers('ok')),
      { push },
    );
    const agent = await service.execute(caller, spawnAgent, {}, { name: 'Teller' });
    const tried = new Map<string, number>();
    push.problem = ({ id }) => {
      tried.set(id, (tried.get(id) ?? 0) + 1);
      return tried.get(id) === 3 ? null : down();
    };
    const task = await service.sendTask(caller, agent.id, { message: said('go'), push: config, wait: 'natural' });
    await service.execute(caller, setPush, { id: agent.id, taskId: task.id }, { ...config, id: 'second' });
    await service.sendTask(caller, agent.id, { message: said('yes', 'm2'), taskId: task.id, wait: 'natural' });
    await eventually(async () => push.got.length === 7);
    expect(push.of(task.id)).to.deep.equal(['running', 'paused', 'running', 'completed']);
    expect(push.of('second')).to.deep.equal(['paused', 'running', 'completed']);
    await eventually(
      async () =>
        (
          await store.count(
            { workspace: 'default', entity: agentRef(agent.id), collection: 'outbox', list: 'created' },
            10,
          )
        ).count === 0,
    );
    expect(await store.head(agentRef(agent.id))).to.include({ active: false });
  });

  it('are sent again by the next process, in order, new ones behind the old', async () => {
    const push = new Receiver();
    const steps = new HeldSteps();
    const first = await bed.start(steps.script, { push });
    const agent = await first.service.execute(caller, spawnAgent, {}, { name: 'Firm', config: { multi_step: true } });
    push.problem = () => never;
    const task = await first.service.sendTask(caller, agent.id, {
      message: said('go'),
      push: config,
      wait: 'natural',
    });
    (await steps.next()).answer(does(call('ask_human', { question: '?' })));
    await eventually(
      async () => (await first.service.execute(caller, getTask, { id: agent.id, taskId: task.id })).status === 'paused',
    );
    first.kill();
    const next = new Receiver();
    const second = await bed.start(() => answers('ok'), { push: next });
    await second.service.sendTask(caller, agent.id, { message: said('on', 'm2'), taskId: task.id, wait: 'settled' });
    await eventually(async () => next.got.length === 4);
    expect(next.of(task.id)).to.deep.equal(['running', 'paused', 'running', 'completed']);
  });

  it('one config that hangs holds up no other', async () => {
    const push = new Receiver();
    const { service } = await bed.start(echo, { push });
    const agent = await service.execute(caller, spawnAgent, {}, { name: 'Fair' });
    push.problem = (item) => (item.config.id === 'stuck' ? never : null);
    const task = await service.sendTask(caller, agent.id, {
      message: said('a'),
      push: { ...config, id: 'stuck' },
      wait: 'natural',
    });
    await service.sendTask(caller, agent.id, {
      message: said('b', 'm2'),
      push: { ...config, id: 'free' },
      wait: 'natural',
    });
    await eventually(async () => push.of('free').length === 2);
    expect(push.of('stuck')).to.deep.equal([]);
    expect((await service.execute(caller, listPush, { id: agent.id, taskId: task.id })).map((c) => c.id)).to.deep.equal(
      ['stuck'],
    );
  });

  it('that fail to the end become dead letters, which are listed and sent again on demand', async () => {
    const push = new Receiver();
    const { service } = await bed.start(echo, { push });
    const agent = await service.execute(caller, spawnAgent, {}, { name: 'Late' });
    push.problem = () => down();
    const task = await service.sendTask(caller, agent.id, { message: said('go'), push: config, wait: 'natural' });
    const letters = await eventually(async () => {
      const page = await service.execute(caller, listDeadLetters, {}, { page: newestFirst });
      return page.total === 2 && page.items;
    });
    expect(push.tries).to.equal(6);
    expect(letters.map((l) => l.status)).to.deep.equal(['completed', 'running']);
    expect(letters[0]).to.include({
      agent_id: agent.id,
      task_id: task.id,
      url: 'https://receiver.example/hook',
      reason: 'answered 503',
      tries: 3,
    });
    push.problem = () => null;
    expect(
      await codeOf(
        service.execute({ ...caller, workspace: 'ws_other' }, replayDeadLetter, { id: letters[1]?.id ?? '' }, {}),
      ),
    ).to.equal('NOT_FOUND');
    await service.execute(caller, replayDeadLetter, { id: letters[1]?.id ?? '' }, {});
    await eventually(async () => push.of(task.id).length === 1);
    expect(push.of(task.id)).to.deep.equal(['running']);
    expect((await service.execute(caller, listDeadLetters, {}, { page: newestFirst })).total).to.equal(1);
    expect(await codeOf(service.execute(caller, replayDeadLetter, { id: letters[1]?.id ?? '' }, {}))).to.equal(
      'NOT_FOUND',
    );
  });

  it('that the guard refuses for good are tried once', async () => {
    const push = new Receiver();
    const { service } = await bed.start(echo, { push });
    const agent = await service.execute(caller, spawnAgent, {}, { name: 'Barred' });
    push.problem = () => new PushError('the address is private', true);
    await service.sendTask(caller, agent.id, { message: said('go'), push: config, wait: 'natural' });
    const page = await eventually(async () => {
      const found = await service.execute(caller, listDeadLetters, {}, { page: newestFirst });
      return found.total === 2 && found;
    });
    expect(page.items.map((l) => l.tries)).to.deep.equal([1, 1]);
  });

  it('are registered, replaced, read and deleted; a refused URL changes nothing', async () => {
    const push = new Receiver();
    const steps = new HeldSteps();
    const { service } = await bed.start(steps.script, { push });
    const agent = await service.execute(caller, spawnAgent, {}, { name: 'Book', config: { multi_step: true } });
    expect(
      await codeOf(
        service.sendTask(caller, agent.id, {
          message: said('x'),
          push: { ...config, url: 'https://private' },
          wait: 'natural',
        }),
      ),
    ).to.equal('VALIDATION_ERROR');
    expect(
      (await service.execute(caller, listRuns, { id: agent.id }, { page: newestFirst })).total,
      'no task',
    ).to.equal(0);
    const task = await service.sendTask(caller, agent.id, { message: said('go'), wait: 'natural' });
    const of = (): Promise<unknown[]> => service.execute(caller, listPush, { id: agent.id, taskId: task.id });
    expect(
      await codeOf(
        service.execute(caller, setPush, { id: agent.id, taskId: task.id }, { ...config, url: 'https://private' }),
      ),
    ).to.equal('VALIDATION_ERROR');
    expect(await service.execute(caller, setPush, { id: agent.id, taskId: task.id }, config)).to.deep.equal({
      ...config,
      id: task.id,
    });
    await service.execute(
      caller,
      setPush,
      { id: agent.id, taskId: task.id },
      {
        ...config,
        id: 'b',
        authentication: { schemes: ['Bearer'], credentials: 'c' },
      },
    );
    await service.execute(
      caller,
      setPush,
      { id: agent.id, taskId: task.id },
      { url: 'https://new.example/', version: '1.0' },
    );
    expect(await of()).to.deep.equal([
      { id: task.id, url: 'https://new.example/', version: '1.0' },
      { ...config, id: 'b', authentication: { schemes: ['Bearer'], credentials: 'c' } },
    ]);
    expect(
      await codeOf(service.execute(caller, deletePush, { id: agent.id, taskId: task.id, configId: 'none' })),
    ).to.equal('NOT_FOUND');
    await service.execute(caller, deletePush, { id: agent.id, taskId: task.id, configId: 'b' });
    expect(await of()).to.have.length(1);
    for (let i = 0; i < 19; i++)
      await service.execute(caller, setPush, { id: agent.id, taskId: task.id }, { ...config, id: `c${i}` });
    expect(
      await codeOf(service.execute(caller, setPush, { id: agent.id, taskId: task.id }, { ...config, id: 'more' })),
    ).to.equal('CONFLICT');
    expect(await codeOf(service.execute(caller, setPush, { id: agent.id, taskId: 'run_none' }, config))).to.equal(
      'NOT_FOUND',
    );
  });

  it('of a deleted or replaced config are not sent any more', async () => {
    const push = new Receiver();
    const { service, store } = await bed.start(echo, { push });
    const agent = await service.execute(caller, spawnAgent, {}, { name: 'Gone' });
    let go = (): void => undefined;
    const gone = new Promise<void>((resolve) => {
      go = resolve;
    }); // no try fails before the config is gone, however slow the machine is
    push.problem = () => gone.then(down);
    const task = await service.sendTask(caller, agent.id, {
      message: said('go'),
      push: { ...config, id: 'x' },
      wait: 'natural',
    });
    await service.execute(caller, deletePush, { id: agent.id, taskId: task.id, configId: 'x' });
    go();
    await eventually(async () => (await store.head(agentRef(agent.id)))?.active === false);
    expect(push.got).to.deep.equal([]);
    // what was in its second try when the config went may be given up; nothing more than these two is there
    expect((await service.execute(caller, listDeadLetters, {}, { page: newestFirst })).total).to.be.at.most(1);
  });

  it('tell a config that is registered at a task that waits or has ended its present status, once', async () => {
    const push = new Receiver();
    const { service, store } = await bed.start(
      (c) => (c.humanInputs.length === 0 ? does(call('ask_human', { question: '?' })) : answers('ok')),
      { push },
    );
    const agent = await service.execute(caller, spawnAgent, {}, { name: 'Teller' });
    const { id } = await service.sendTask(caller, agent.id, { message: said('go'), wait: 'natural' });
    const register = (name: string, path = ''): Promise<unknown> =>
      service.execute(
        caller,
        setPush,
        { id: agent.id, taskId: id },
        { ...config, url: `${config.url}${path}`, id: name },
      );
    const allSent = (): Promise<unknown> =>
      eventually(async () => (await store.head(agentRef(agent.id)))?.active === false);
    await register('waiting');
    await register('waiting');
    await service.sendTask(caller, agent.id, { message: said('yes', 'm2'), taskId: id, wait: 'natural' });
    await register('ended');
    await register('ended');
    await register('moved');
    await register('moved', '&to=another');
    await allSent();
    expect(push.of('waiting')).to.deep.equal(['paused', 'running', 'completed']);
    expect(push.of('ended')).to.deep.equal(['completed']);
    expect(push.of('moved')).to.deep.equal(['completed', 'completed']);
    expect(push.got).to.have.length(6);
  });

  it('keep tokens and credentials encrypted at rest, send them in plain, and show them again to who may manage only', async () => {
    const push = new Receiver();
    const sent: unknown[] = [];
    push.problem = ({ config: { token, authentication } }) => {
      sent.push([token, authentication?.credentials]);
      return sent.length < 2 ? down() : new PushError('refused', true); // a dead letter, and one more place to look
    };
    const { service, store } = await bed.start(
      (c) => (c.humanInputs.length === 0 ? does(call('ask_human', { question: '?' })) : answers('ok')),
      { push },
    );
    const agent = await service.execute(caller, spawnAgent, {}, { name: 'Teller' });
    const secret = {
      ...config,
      token: 'tok-in-plain',
      authentication: { schemes: ['Bearer'], credentials: 'cred-in-plain' },
    };
    const task = await service.sendTask(caller, agent.id, { message: said('go'), push: secret, wait: 'natural' });
    const echoed = await service.execute(
      caller,
      setPush,
      { id: agent.id, taskId: task.id },
      { ...secret, id: 'second' },
    );
    expect(echoed).to.deep.include({ ...secret, id: 'second' });
    await eventually(
      async () => (await service.execute(caller, listDeadLetters, {}, { page: newestFirst })).items.length > 0,
    );
    expect(sent[0]).to.deep.equal(['tok-in-plain', 'cred-in-plain']);

    const { workspace } = caller;
    const entity = agentRef(agent.id);
    for (const collection of ['run', 'deadLetter'] as const) {
      const { items } = await store.list(
        collection === 'run'
          ? { workspace, entity, collection, list: 'created', order: 'asc', limit: 10 }
          : { workspace, collection, list: 'created', order: 'asc', limit: 10 },
      );
      const stored = JSON.stringify(items);
      expect(stored).to.include('sealed:').and.not.to.include('tok-in-plain').and.not.to.include('cred-in-plain');
    }

    const manager = await service.execute(caller, listPush, { id: agent.id, taskId: task.id });
    expect(manager[0]).to.deep.include({ url: secret.url, token: secret.token, authentication: secret.authentication });
    const reader = { ...caller, scopes: ['agent:read', 'agent:spawn'] as const };
    expect(await service.execute(reader, listPush, { id: agent.id, taskId: task.id })).to.deep.equal(
      [task.id, 'second'].map((id) => ({
        id,
        url: 'https://receiver.example/hook?***',
        version: '0.3',
        authentication: { schemes: ['Bearer'] },
      })),
    );
  });
});
