/**
 * Clients at work, several at once: each carries out one mission after another, every one of them to its answer, and
 * writes into the ledger what it was told.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { thoughtsExtension } from '../../../../src/a2a/card.js';
import type { Manner, Receiver } from '../../../e2e/a2a/support/receiver.js';
import { say, say1, stateOf, v1 } from '../../../e2e/a2a/support/rpc.js';
import type { Random } from '../../random.js';
import type { Entry, Ledger } from '../ledger.js';
import { mailOf, shareInput } from '../script.js';
import { Unanswered, type Answer, type Ask, type Gateways, type Json } from './gateways.js';
import { comingBack, follow, type Reading, type Story } from './story.js';

export type Agents = Record<'workers' | 'talkers' | 'relays' | 'sinks', string[]>;
/** All workers are in the hive. */
export interface World {
  agents: Agents;
  hive: string;
}

/** With thoughts, a stream has a frame for each event: it shows whether one is missing. */
const allFrames = { 'a2a-extensions': thoughtsExtension };

const missions = [
  'memory',
  'memory',
  'message',
  'run',
  'run',
  'mail',
  'hops',
  'hops',
  'task',
  'task',
  'agent',
  'share',
] as const;

export class Crew {
  private stopped = false;
  private clients: Promise<void>[] = [];
  private readers: Promise<void>[] = [];
  private count = 0;

  constructor(
    private readonly gateways: Gateways,
    private readonly world: World,
    private readonly receiver: Receiver,
    private readonly ledger: Ledger,
    private readonly random: Random,
    private readonly restMs: number,
  ) {}

  begin(clients: number): void {
    this.clients = Array.from({ length: clients }, async () => {
      while (!this.stopped) {
        await this.carryOut();
        await pause(this.random.between(0, this.restMs * 2));
      }
    });
  }

  /** Resolves when everything that was begun is answered and every stream is at its end, or patience is. */
  async end(): Promise<void> {
    this.stopped = true;
    await Promise.all(this.clients);
    await Promise.all(this.readers);
  }

  private async carryOut(): Promise<void> {
    const {
      random,
      world: { agents },
    } = this;
    const mission = random.pick(missions);
    const unique = `u${++this.count}`;
    try {
      switch (mission) {
        case 'memory':
          await this.memory(unique, random.pick([null, ...agents.talkers]));
          break;
        case 'message':
          await this.message(unique, random.pick(agents.talkers));
          break;
        case 'run':
          await this.run(unique, random.pick(agents.workers));
          break;
        case 'mail':
          await this.mail(unique, random.pick(agents.sinks));
          break;
        case 'hops':
          await this.hops(unique);
          break;
        case 'task':
          await this.task(unique, random.pick([...agents.workers, ...agents.talkers]));
          break;
        case 'agent':
          await this.agent(unique);
          break;
        case 'share':
          await this.share(unique, random.pick(agents.workers));
          break;
        default:
          mission satisfies never;
      }
    } catch (thrown) {
      this.ledger.problems.push(
        thrown instanceof Unanswered ? `${unique}: ${thrown.message}` : `${mission} ${unique}: ${String(thrown)}`,
      );
    }
  }

  /** A memory is read through another gateway as soon as it is acknowledged; some are deleted. */
  private async memory(unique: string, agent: string | null): Promise<void> {
    const { ledger, random } = this;
    const entry = ledger.begin('memory', unique, agent);
    const by = await this.create(entry, '/v1/memories', {
      type: 'note',
      content: unique,
      ...(agent !== null && { agent_id: agent }),
    });
    if (by === null) return;
    const path = `/v1/memories/${entry.id ?? ''}`;
    if (random.next() < 0.4) await this.read(path, by, 200);
    if (random.next() < 0.25) await this.remove(entry, path);
  }

  private async message(unique: string, agent: string): Promise<void> {
    await this.create(
      this.ledger.begin('message', unique, agent),
      `/v1/agents/${agent}/message`,
      { content: `what about ${unique}?` },
      'run_id',
    );
  }

  /** Half of the runs are followed, while the client goes on. */
  private async run(unique: string, agent: string): Promise<void> {
    const entry = this.ledger.begin('run', unique, agent);
    const runs = `/v1/agent-constellations/${agent}/runs`;
    if ((await this.create(entry, runs, { input: `work ${unique}` })) === null || this.random.next() < 0.4) return;
    const reading: Reading = {
      open: (seen) => ({ method: 'GET', path: `${runs}/${entry.id ?? ''}/events`, headers: comingBack(seen) }),
      look: (data) => (data['type'] === 'status' ? { status: String(data['status']) } : {}),
    };
    this.readers.push(this.reader(follow(this.gateways, agent, entry.id ?? '', reading, null, this.cut())));
  }

  private async mail(unique: string, agent: string): Promise<void> {
    await this.create(this.ledger.begin('mail', unique, agent, [agent]), `/v1/agent-constellations/${agent}/messages`, {
      content: mailOf([], unique),
    });
  }

  /** Through two to four agents, back and forth, to a sink. */
  private async hops(unique: string): Promise<void> {
    const {
      random,
      world: { agents },
    } = this;
    const [a, b] = [random.pick(agents.relays), random.pick(agents.relays)];
    const sink = random.pick(agents.sinks);
    const path = random.pick(
      a === b
        ? [[a, sink]]
        : [
            [a, b, sink],
            [a, b, a, sink],
            [a, b, a, b, sink],
          ],
    );
    const [first = '', ...rest] = path;
    await this.create(this.ledger.begin('hops', unique, first, path), `/v1/agent-constellations/${first}/messages`, {
      content: mailOf(rest, unique),
    });
  }

  private async share(unique: string, agent: string): Promise<void> {
    await this.create(this.ledger.begin('share', unique, agent), `/v1/agent-constellations/${agent}/runs`, {
      input: shareInput(this.world.hive, unique),
    });
  }

  /** An agent with something of every kind, of which most are deleted. */
  private async agent(unique: string): Promise<void> {
    const { ledger } = this;
    const made = ledger.begin('agent', unique, null);
    if (
      (await this.create(made, '/v1/agents/spawn', {
        name: unique,
        config: { model: 'openai/slow', multi_step: true },
      })) === null
    )
      return;
    const id = made.id ?? '';
    const things = [
      ledger.begin('memory', `${unique}-memory`, id),
      ledger.begin('run', `${unique}-run`, id),
      ledger.begin('mail', `${unique}-mail`, id, [id]),
    ] as const;
    await this.create(things[0], '/v1/memories', { type: 'note', content: things[0].unique, agent_id: id });
    await this.create(things[1], `/v1/agent-constellations/${id}/runs`, { input: `work ${things[1].unique}` });
    await this.create(things[2], `/v1/agent-constellations/${id}/messages`, { content: mailOf([], things[2].unique) });
    if (this.random.next() < 0.7) await this.remove(made, `/v1/agents/${id}`);
  }

  /**
   * A2A: sent, or sent as a stream, or sent and then followed; some with pushes to a receiver that fails now and then.
   */
  private async task(unique: string, agent: string): Promise<void> {
    const { random, gateways, ledger, receiver } = this;
    const version = random.pick(['0.3', '1.0'] as const);
    const modern = version === '1.0';
    const push = random.next() < 0.6 ? `/${unique}` : null;
    if (push !== null && random.next() < 0.3)
      receiver.answer(
        push,
        ...Array.from({ length: random.between(1, 3) }, () => random.pick<Manner>([500, 503, 'hang'])),
      );
    const entry = ledger.begin('task', unique, agent);
    const said = { messageId: `m-${unique}` };
    const text = `work ${unique}`;
    const url = push === null ? null : receiver.url(push);
    const params = modern
      ? say1(text, {
          ...said,
          configuration: { returnImmediately: true, ...(url !== null && { taskPushNotificationConfig: { url } }) },
        })
      : say(text, {
          ...said,
          configuration: { blocking: false, ...(url !== null && { pushNotificationConfig: { url } }) },
        });
    const rpc = (method: string, of: Json): Ask => ({
      method: 'POST',
      path: `/api/v1/a2a/agents/${agent}`,
      headers: { accept: 'text/event-stream, application/json', ...allFrames, ...(modern && v1) },
      body: { jsonrpc: '2.0', id: 1, method, params: of },
    });
    const way = random.pick(['send', 'stream', 'follow'] as const);
    const reading: Reading = {
      open: (seen) =>
        seen === null
          ? rpc(modern ? 'SendStreamingMessage' : 'message/stream', params)
          : {
              ...rpc(modern ? 'SubscribeToTask' : 'tasks/resubscribe', { id: entry.id }),
              headers: { ...allFrames, ...(modern && v1), ...comingBack(seen) },
            },
      look: ({ result }) => {
        const { run, status } = frameOf((result ?? {}) as Json);
        if (run !== undefined) entry.id = run;
        return { run, status };
      },
    };
    if (way === 'stream') {
      const story = await follow(gateways, agent, '', reading, null, this.cut());
      entry.tries = story.connections;
      ledger.stories.push(story);
    } else {
      const { body, tries } = await gateways.ask(rpc(modern ? 'SendMessage' : 'message/send', params));
      const result = (body['result'] ?? {}) as Json;
      entry.tries = tries;
      entry.id = frameOf(result).run ?? null;
      if (entry.id === null) ledger.problems.push(`task ${unique} was refused: ${JSON.stringify(body)}`);
      else if (way === 'follow')
        this.readers.push(this.reader(follow(gateways, agent, entry.id, reading, 0, this.cut())));
    }
    if (push !== null && entry.id !== null) ledger.pushes.push({ agent, run: entry.id, path: push });
  }

  /**
   * Null where it was refused, else the gateway that answered. Some are sent once more after that: the answer must be
   * the same.
   */
  private async create(entry: Entry, path: string, body: object, idField = 'id'): Promise<string | null> {
    const { gateways, ledger } = this;
    const ask: Ask = { method: 'POST', path, body, key: entry.unique };
    const answer = await gateways.ask(ask);
    entry.tries = answer.tries;
    if (answer.status >= 300) {
      ledger.problems.push(
        `${entry.kind} ${entry.unique} was refused: ${answer.status} ${JSON.stringify(answer.body)}`,
      );
      return null;
    }
    entry.id = idOf(answer, idField);
    if (this.random.next() < 0.15) {
      ledger.looked('same answer to a request sent again');
      const second = await gateways.ask(ask, gateways.other(answer.by));
      if (second.status !== answer.status || idOf(second, idField) !== entry.id)
        ledger.problems.push(
          `${entry.kind} ${entry.unique} was answered ${answer.status} ${entry.id ?? ''}, and sent again ${second.status} ${JSON.stringify(second.body)}`,
        );
    }
    return answer.by;
  }

  /** A delete that is sent again may find nothing left. */
  private async remove(entry: Entry, path: string): Promise<void> {
    entry.deleted = 'asked';
    const { status, body, tries, by } = await this.gateways.ask({ method: 'DELETE', path });
    if (status === 200 || (status === 404 && tries > 1)) entry.deleted = 'acknowledged';
    else {
      this.ledger.problems.push(`deleting ${path} is ${status}: ${JSON.stringify(body)}`);
      return;
    }
    await this.read(path, by, 404);
  }

  /** What one gateway has acknowledged, another one knows. */
  private async read(path: string, writtenBy: string, status: number): Promise<void> {
    this.ledger.looked('read after write at another gateway');
    const seen = await this.gateways.ask({ method: 'GET', path }, this.gateways.other(writtenBy));
    if (seen.status !== status)
      this.ledger.problems.push(
        `${path}, answered by ${writtenBy}, is then ${seen.status} by ${seen.by}, not ${status}`,
      );
  }

  private async reader(story: Promise<Story>): Promise<void> {
    this.ledger.stories.push(await story);
  }

  private cut(): number | null {
    return this.random.next() < 0.4 ? this.random.between(1, 6) : null;
  }
}

const idOf = ({ body }: Answer, field: string): string | null =>
  ((body['data'] as Json | undefined)?.[field] as string | undefined) ?? null;

/** A task, or an event of one, in either dialect. */
function frameOf(result: Json): { run?: string; status?: string } {
  const task = (result['task'] ?? (result['kind'] === 'task' ? result : undefined)) as Json | undefined;
  const event = (result['statusUpdate'] ?? (result['kind'] === 'status-update' ? result : undefined)) as
    Json | undefined;
  return {
    ...(task && { run: String(task['id']) }),
    ...(event && {
      status: stateOf(event)
        .replace(/^TASK_STATE_/, '')
        .toLowerCase(),
    }),
  };
}
