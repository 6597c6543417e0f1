/**
 * Agents elsewhere that simulated agents ask by A2A. Each works for a while; requests and answers take their time and
 * are lost now and then, and where one pushes, that comes late, twice, out of order or not at all.
 *   harbour   A2A 1.0, pushes, lists its tasks
 *   keyed     the same, and takes a message of one id once
 *   mute      A2A 0.3, neither pushes nor lists
 */
import { type OutboundAnswer, type OutboundRequest, PushError } from '../../src/push/port.js';
import type { Kernel, SimulatedProcess } from './kernel.js';

export const simulatedPeers = ['harbour', 'keyed', 'mute'] as const;
export type SimulatedPeer = (typeof simulatedPeers)[number];

export const cardOfPeer = (peer: string): string => `https://${peer}.example/card`;

interface TaskOfPeer {
  id: string;
  /** The id of its message. */
  message: string;
  text: string;
  doneAt: number;
  cancelled: boolean;
}

type Told = { url: string; token: string } | undefined;

interface Rpc {
  id: string;
  method: string;
  params: {
    id?: string;
    message?: { messageId: string; parts: { text: string }[] };
    configuration?: { taskPushNotificationConfig?: Told };
  };
}

export class SimulatedPeers {
  readonly tasks: TaskOfPeer[] = [];
  /** Messages whose answers were lost on the way. */
  readonly unheard = new Set<string>();
  readonly problems: string[] = [];

  constructor(
    private readonly kernel: Kernel,
    /** Brings a push to any process that serves. */
    private readonly push: (url: string, token: string) => void,
  ) {}

  open(process: SimulatedProcess, request: OutboundRequest, signal: AbortSignal): Promise<OutboundAnswer> {
    const { random } = this.kernel;
    const stop = new AbortController();
    return new Promise<OutboundAnswer>((resolve, reject) => {
      const fails = (message: string, code?: string): void => {
        const cause = code === undefined ? {} : { cause: Object.assign(new Error(message), { code }) };
        reject(new PushError(message, false, cause));
      };
      const aborted = (): void => {
        fails('stopped');
      };
      signal.addEventListener('abort', aborted, { signal: stop.signal });
      if (random.next() < 0.05) {
        process.after(random.between(1, 20), () => {
          fails('refused', 'ECONNREFUSED');
        });
        return;
      }
      // once it has left the process, it arrives whatever becomes of that
      this.kernel.after(random.between(1, 40), () => {
        const { status, body } = this.answer(request);
        const isLost = random.next() < 0.03;
        if (isLost) this.notHeard(request);
        process.after(random.between(1, 40), () => {
          if (isLost) fails('the connection was closed before there was an answer', 'ECONNRESET');
          else resolve({ status, headers: {}, body: bytesOf(JSON.stringify(body)) });
        });
      });
    }).finally(() => {
      stop.abort();
    });
  }

  private notHeard({ body = '{}' }: OutboundRequest): void {
    const { params } = JSON.parse(body) as Partial<Rpc>;
    if (params?.message) this.unheard.add(params.message.messageId);
  }

  private answer({ url, body }: OutboundRequest): { status: number; body: object } {
    const name = new URL(url).hostname.split('.')[0] as SimulatedPeer;
    if (body === undefined) return { status: 200, body: cardOf(name) };
    if (this.kernel.random.next() < 0.03) return { status: 503, body: {} };
    const { id, method, params } = JSON.parse(body) as Rpc;
    const result = this.resultOf(name, method, params);
    return {
      status: 200,
      body: { jsonrpc: '2.0', id, ...(result ? { result } : { error: { code: -32601, message: 'no' } }) },
    };
  }

  private resultOf(peer: SimulatedPeer, method: string, { id, message, configuration }: Rpc['params']): object | null {
    switch (method) {
      case 'SendMessage':
        return { task: this.shown(this.taken(peer, message, configuration?.taskPushNotificationConfig)) };
      case 'message/send':
        return this.shown(this.taken(peer, message, undefined));
      case 'GetTask':
      case 'tasks/get':
      case 'CancelTask':
      case 'tasks/cancel': {
        const task = this.tasks.find((one) => one.id === id);
        if (task && /cancel/i.test(method) && task.doneAt > this.kernel.time) task.cancelled = true;
        return task ? this.shown(task) : null;
      }
      case 'ListTasks':
        return { tasks: this.tasks.map((task) => this.shown(task)) };
      default:
        return null;
    }
  }

  private taken(peer: SimulatedPeer, message: Rpc['params']['message'], told: Told): TaskOfPeer {
    const { messageId = '', parts = [] } = message ?? {};
    const known = this.tasks.find((task) => task.message === messageId);
    if (known && peer === 'keyed') return known;
    if (known) this.problems.push(`Simulation.S14 message ${messageId} was sent to ${peer} twice`);
    const { kernel } = this;
    const lasts = kernel.random.between(20, 4_000);
    const text = parts.map((part) => part.text).join('');
    const task = {
      id: `t-${this.tasks.length}`,
      message: messageId,
      text,
      doneAt: kernel.time + lasts,
      cancelled: false,
    };
    this.tasks.push(task);
    if (told)
      for (let n = kernel.random.between(0, 4); n > 0; n--)
        kernel.after(kernel.random.between(0, lasts + 500), () => {
          this.push(told.url, kernel.random.next() < 0.1 ? `${told.token}x` : told.token);
        });
    return task;
  }

  /** In the form of 1.0, which is read of peers of 0.3, too. */
  private shown({ id, message, text, doneAt, cancelled }: TaskOfPeer): object {
    const isDone = doneAt <= this.kernel.time;
    const state = cancelled ? 'CANCELED' : isDone ? 'COMPLETED' : 'WORKING';
    return {
      id,
      contextId: 'c',
      status: { state: `TASK_STATE_${state}` },
      history: [{ role: 'ROLE_USER', messageId: message, parts: [{ text }] }],
      ...(isDone && { artifacts: [{ artifactId: 'a', parts: [{ text: `heard ${text}` }] }] }),
    };
  }
}

const cardOf = (peer: SimulatedPeer): object => ({
  name: peer,
  description: peer,
  capabilities: { pushNotifications: peer !== 'mute' },
  supportedInterfaces: [
    {
      url: `https://${peer}.example/a2a`,
      protocolBinding: 'JSONRPC',
      protocolVersion: peer === 'mute' ? '0.3' : '1.0',
    },
  ],
  skills: [],
});

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
