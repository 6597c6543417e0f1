/**
 * Push notifications: every change of the status arrives, in order for each config, whatever the receiver does
 * (docs/api.md 6.2).
 */
import { expect } from 'chai';
import { until, type Json } from '../api/support/client.js';
import type { Delivery } from './support/receiver.js';
import { freshId, outputOf, say, say1, stateOf, v1, type Rpc } from './support/rpc.js';
import { a2aWorld } from './support/world.js';

const world = a2aWorld({
  HIVEKEEP_PUSH_TRIES: '30',
  HIVEKEEP_PUSH_RETRY_SECONDS: '0.05',
  HIVEKEEP_PUSH_TIMEOUT_SECONDS: '0.5',
});
const { thinking, quick, think, asking } = world;
const receiver = (): ReturnType<typeof world.receiver> => world.receiver();
const states = (deliveries: readonly Delivery[]): string[] => deliveries.map((d) => stateOf(d.body));
const config = (path: string, more: Json = {}): Json => ({
  pushNotificationConfig: { url: receiver().url(path), ...more },
});
const arrived = (path: string, count: number): Promise<readonly Delivery[]> =>
  until(
    async () => receiver().taken(path),
    (d) => d.length >= count,
    8000,
  );
const whole = ['working', 'input-required', 'working', 'completed'];

/** What was delivered just before a kill may come again; a change is told by its time. */
const firstOfEach = (deliveries: readonly Delivery[]): Delivery[] => {
  const timeOf = ({ body }: Delivery): unknown => (body['status'] as Json)['timestamp'];
  return deliveries.filter((d, i, all) => all.findIndex((e) => timeOf(e) === timeOf(d)) === i);
};

/** A task through four statuses, told to the path from the first on. */
async function fourChanges(rpc: Rpc, path: string): Promise<string> {
  const { id } = (await rpc.result('message/send', say('which?', { configuration: config(path, { token: 't' }) }))) as {
    id: string;
  };
  await think({ tool: 'ask_human', arguments: { question: 'Red or blue?' } });
  await until(
    () => rpc.result('tasks/get', { id }),
    (t) => stateOf(t) === 'input-required',
  );
  await rpc.result('message/send', say('red', { taskId: id }));
  await think({ text: 'red it is' });
  await until(
    () => rpc.result('tasks/get', { id }),
    (t) => stateOf(t) === 'completed',
  );
  return id;
}

describe('A2A: pushes', function suite() {
  this.timeout(20_000);
  world.hooks();

  it('tell each change once, with the task as of then, and the token', async () => {
    const path = `/${freshId()}`;
    const rpc = world.rpc(await thinking());
    const id = await fourChanges(rpc, path);
    const pushed = await arrived(path, 4);
    const task = await rpc.result('tasks/get', { id });
    expect(states(pushed)).to.deep.equal(whole);
    for (const { body, headers } of pushed) {
      expect(body).to.include({ kind: 'task', id, contextId: task['contextId'] });
      expect(headers).to.include({ 'content-type': 'application/json', 'x-a2a-notification-token': 't' });
      expect(headers).to.not.have.property('authorization');
    }
    expect(pushed.map(({ body }) => outputOf(body))).to.deep.equal(['', '', '', 'red it is']);
    expect(pushed.at(-1)!.body['status']).to.deep.equal(task['status']);
    expect(receiver().tries(path)).to.have.lengthOf(4);
  });

  it('are written as the version says under which they were registered, for one task too', async () => {
    const rpc = world.rpc(await thinking());
    const [old, modern, plain] = [`/${freshId()}`, `/${freshId()}`, `/${freshId()}`];
    const { id } = (await rpc.result('message/send', say('think'))) as { id: string };
    await rpc.result('tasks/pushNotificationConfig/set', {
      taskId: id,
      pushNotificationConfig: {
        id: 'old',
        url: receiver().url(old),
        token: 'o',
        authentication: { schemes: ['Bearer'], credentials: 'mine' },
      },
    });
    await rpc.result(
      'CreateTaskPushNotificationConfig',
      {
        taskId: id,
        id: 'modern',
        url: receiver().url(modern),
        token: 'm',
        authentication: { scheme: 'Bearer', credentials: 'mine' },
      },
      v1,
    );
    await rpc.result('CreateTaskPushNotificationConfig', { taskId: id, id: 'plain', url: receiver().url(plain) }, v1);
    await think({ text: 'forty-two' });
    const [[a], [b], [c]] = [await arrived(old, 1), await arrived(modern, 1), await arrived(plain, 1)];
    expect([stateOf(a!.body), outputOf(a!.body)]).to.deep.equal(['completed', 'forty-two']);
    expect(a!.headers).to.include({
      'content-type': 'application/json',
      'x-a2a-notification-token': 'o',
      authorization: 'Bearer mine',
    });
    for (const { body, headers } of [b!, c!]) {
      expect(headers['content-type']).to.match(/^application\/a2a\+json/);
      expect(Object.keys(body)).to.deep.equal(['task']);
      expect([stateOf(body['task'] as Json), outputOf(body['task'] as Json)]).to.deep.equal([
        'TASK_STATE_COMPLETED',
        'forty-two',
      ]);
      expect(JSON.stringify(body)).to.not.contain('"kind"');
    }
    expect(b!.headers['authorization']).to.equal('Bearer mine');
    expect(c!.headers).to.not.have.any.keys('authorization', 'x-a2a-notification-token');
    const other = world.rpc(await quick());
    const path = `/${freshId()}`;
    await other.result(
      'SendMessage',
      say1('hello', { configuration: { taskPushNotificationConfig: { url: receiver().url(path) } } }),
      v1,
    );
    expect((await arrived(path, 2)).map((d) => stateOf(d.body['task'] as Json))).to.deep.equal([
      'TASK_STATE_WORKING',
      'TASK_STATE_COMPLETED',
    ]);
  });

  it('tell a config that comes to a paused task what it waits for, once, by whichever version it comes', async () => {
    const rpc = world.rpc(await thinking());
    const { id } = (await rpc.result('message/send', say('which?'))) as { id: string };
    await think({ tool: 'ask_human', arguments: { question: 'Red or blue?' } });
    await until(
      () => rpc.result('tasks/get', { id }),
      (t) => stateOf(t) === 'input-required',
    );
    const set = 'tasks/pushNotificationConfig/set';
    const ways: Record<string, (url: string, name: string) => Promise<unknown>> = {
      '0.2': (url, name) => rpc.result(set, { taskId: id, pushNotificationConfig: { id: name, url } }),
      '0.3': (url, name) =>
        rpc.result(set, { taskId: id, pushNotificationConfig: { id: name, url } }, { 'a2a-version': '0.3' }),
      '1.0': (url, name) => rpc.result('CreateTaskPushNotificationConfig', { taskId: id, id: name, url }, v1),
      'http-json': async (url, name) => {
        const response = await fetch(`${rpc.url}/tasks/${id}/pushNotificationConfigs`, {
          method: 'POST',
          headers: { ...v1, authorization: `Bearer ${world.api.key}`, 'content-type': 'application/a2a+json' },
          body: JSON.stringify({ id: name, url }),
        });
        expect(response.status, await response.text()).to.equal(200);
      },
    };
    const paths = new Map(Object.keys(ways).map((way) => [way, `/${freshId()}`]));
    for (const [way, register] of Object.entries(ways))
      for (let times = 0; times < 2; times++) await register(receiver().url(paths.get(way)!), way);
    for (const path of paths.values()) await arrived(path, 1);
    await rpc.result('message/send', say('red', { taskId: id }));
    await think({ text: 'red it is' });
    for (const [way, path] of paths) {
      const pushed = (await arrived(path, 3)).map(({ body }) => (body['task'] ?? body) as Json);
      expect(
        pushed.map((task) => stateOf(task).replace('TASK_STATE_', '').replace('_', '-').toLowerCase()),
        way,
      ).to.deep.equal(['input-required', 'working', 'completed']);
      expect(JSON.stringify(pushed[0]), way).to.include('Red or blue?');
    }
  });

  it('survive kill -9: what was not delivered comes after the restart, in order, and what happens then after it', async () => {
    const path = `/${freshId()}`;
    const rpc = world.rpc(await thinking());
    receiver().always(path, 500);
    const { id } = (await rpc.result('message/send', say('which?', { configuration: config(path) }))) as { id: string };
    await think({ tool: 'ask_human', arguments: { question: 'Red or blue?' } });
    await until(
      () => rpc.result('tasks/get', { id }),
      (t) => stateOf(t) === 'input-required',
    );
    await until(
      async () => receiver().tries(path).length,
      (n) => n > 0,
    );
    await world.killed();
    expect(receiver().taken(path)).to.deep.equal([]);
    await rpc.result('message/send', say('red', { taskId: id }));
    await asking();
    receiver().always(path, null);
    await arrived(path, 3);
    await world.killed();
    await think({ text: 'red it is' });
    expect(
      states(
        await until(
          async () => firstOfEach(receiver().taken(path)),
          (d) => d.length === 4,
          8000,
        ),
      ),
    ).to.deep.equal(whole);
  });

  it('of a task that is cancelled, fails or waits in line tell that', async () => {
    const [cancelled, failed, queued] = [`/${freshId()}`, `/${freshId()}`, `/${freshId()}`];
    const rpc = world.rpc(await thinking({ max_parallel: 1 }));
    const { id } = (await rpc.result('message/send', say('think', { configuration: config(cancelled) }))) as {
      id: string;
    };
    await rpc.result('message/send', say('wait', { configuration: config(queued) }));
    await asking();
    await rpc.result('tasks/cancel', { id });
    await think({ text: 'done' });
    await world
      .rpc(await quick({ config: { model: 'anthropic/none' } }))
      .result('message/send', say('hello', { configuration: config(failed) }));
    expect(states(await arrived(cancelled, 2))).to.deep.equal(['working', 'canceled']);
    expect(states(await arrived(queued, 3))).to.deep.equal(['submitted', 'working', 'completed']);
    expect(states(await arrived(failed, 2))).to.deep.equal(['working', 'failed']);
  });
});
