/** One task whose events a test makes happen, behind the real streams of a gateway; time is the test's. */
import { thoughtsExtension } from '../../../src/a2a/card.js';
import type { RunEvent } from '../../../src/domain/model/model.js';
import type { RunStatus } from '../../../src/domain/shared/vocabulary.js';
import { notFound } from '../../../src/domain/shared/errors.js';
import type { Task } from '../../../src/domain/task/task.js';
import { taskAfter } from '../../../src/domain/task/run-as-task.js';
import type { Bus } from '../../../src/bus/port.js';
import { createInProcessBus } from '../../../src/bus/in-process.js';
import { followRun } from '../../../src/bus/run-events.js';
import { createStreams, type OpenStreams, type StreamsOptions } from '../../../gateway/streams/streams.js';
import type { FollowedTask, Service } from '../../../src/service.js';
import type { Answers } from '../../helpers/fake-service.js';
import { rootKey, startGateway, type TestGateway } from '../../helpers/gateway.js';
import { ManualClock, topic } from '../../unit/bus/support.js';
import { RawClient, until } from '../streams-support.js';
import { eventsIn, path, type SseEvent } from './kit.js';

const at = '2026-11-21T09:00:00.000Z';
type Happening = RunStatus | { thought: string; step?: number } | { answer: string };

export class LiveTask {
  readonly events: RunEvent[] = [];
  /** The streams that the gateway has begun to read and not let go of. */
  followers = 0;
  readFails: Error | null = null;
  /** Whether a message is answered with a run that is over, and all of its events. */
  endedAtOnce = false;
  readonly #bus = createInProcessBus();
  readonly #clock: ManualClock;
  constructor(clock: ManualClock) {
    this.#clock = clock;
  }

  happen(...what: Happening[]): void {
    const made = what.map((one, i): RunEvent => {
      const seq = this.events.length + 1 + i;
      if (typeof one === 'string')
        return {
          seq,
          at,
          type: 'status',
          status: one,
          stopReason: null,
          message: one === 'paused' ? 'Which one?' : null,
        };
      if ('answer' in one) return { seq, at, type: 'answer', content: one.answer };
      return {
        seq,
        at,
        type: 'thought',
        thought: {
          id: `tht_${seq}`,
          thoughtType: 'action',
          content: one.thought,
          runId: 'run_1',
          sessionId: 's',
          agent_id: 'agent_1',
          step: one.step ?? 1,
          created_at: at,
        },
      };
    });
    this.events.push(...made);
    this.#bus.publish('run', topic, made);
  }

  /** As of an event; null is now. */
  task(seq: number | null = null): Task {
    return taskAfter(
      { id: 'run_1', agent_id: 'agent_1', created_at: at } as Parameters<typeof taskAfter>[0],
      seq === null ? this.events : this.events.slice(0, seq),
      [],
    );
  }

  readonly #subscribe: Bus['subscribe'] = (...args) => {
    const leave = this.#bus.subscribe(...args);
    this.followers++;
    return () => {
      this.followers--;
      leave();
    };
  };

  private followed(lastSeq: number | null): FollowedTask {
    const from = Math.min(lastSeq ?? Infinity, this.events.length);
    const read = async (after: number) => {
      if (this.readFails) throw this.readFails;
      return { events: this.events.filter((event) => event.seq > after).slice(0, 20), gone: false };
    };
    return {
      task: this.task(from),
      events: followRun({
        bus: { subscribe: this.#subscribe },
        read,
        topic,
        lastSeq: from,
        clock: this.#clock,
        pollMs: 15_000,
        buffer: 100,
      }),
    };
  }

  readonly service: Partial<Service> = {
    sendTask: async () => this.task(),
    streamTask: async () =>
      this.endedAtOnce ? { task: this.task(1), events: this.events.slice(1) } : this.followed(1),
    followTask: async (_caller, _agent, id, lastSeq) => {
      if (id !== 'run_1') throw notFound('task', id);
      return this.followed(lastSeq);
    },
  };
  readonly commands: Answers = {
    getTask: async (_caller, target) => {
      const { taskId } = target as { taskId: string };
      if (taskId !== 'run_1') throw notFound('task', taskId);
      return this.task();
    },
  };
}

export interface Live {
  gateway: TestGateway;
  streams: OpenStreams;
  clock: ManualClock;
  live: LiveTask;
  warnings: object[];
  stop(): Promise<void>;
}

export async function startLive(options: Partial<StreamsOptions> = {}): Promise<Live> {
  const clock = new ManualClock();
  const live = new LiveTask(clock);
  const warnings: object[] = [];
  const streams = createStreams({
    clock,
    log: {
      debug: () => undefined,
      warn: (fields) => {
        warnings.push(fields);
      },
      error: (fields) => {
        warnings.push(fields);
      },
    },
    ...options,
    tuning: { random: () => 0.5, ...options.tuning },
  });
  const gateway = await startGateway({ service: live.service, commands: live.commands, options: { streams } });
  return { gateway, streams, clock, live, warnings, stop: () => gateway.stop() };
}

/** A client of a stream that shows the bytes as they come. */
export class StreamClient extends RawClient {
  get events(): SseEvent[] {
    return eventsIn(this.body);
  }
  /** Of each event: what it is and what it says. */
  get told(): string[] {
    return this.events.map(({ data }) => tell(data));
  }
  get seen(): (number | null)[] {
    return this.events.map(({ id }) => (id === undefined ? null : Number(id)));
  }
}

export function openStream(
  { gateway }: Pick<Live, 'gateway'>,
  method: string,
  params: object,
  headers: Record<string, string> = {},
): StreamClient {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 'q-1', method, params });
  const lines = Object.entries({
    Host: 'localhost',
    Authorization: `Bearer ${rootKey}`,
    'Content-Type': 'application/json',
    Accept: 'text/event-stream',
    'A2A-Extensions': thoughtsExtension,
    'Content-Length': String(Buffer.byteLength(body)),
    ...headers,
  });
  return new StreamClient(
    gateway.port,
    `POST ${path} HTTP/1.1\n${lines.map(([name, value]) => `${name}: ${value}\n`).join('')}\n${body}`,
  );
}

export const follow = (t: Pick<Live, 'gateway'>, lastEventId?: number, method = 'tasks/resubscribe'): StreamClient =>
  openStream(t, method, { id: 'run_1' }, lastEventId === undefined ? {} : { 'Last-Event-ID': String(lastEventId) });

export { until };

/** A frame of either dialect in a few words. */
function tell({ result, error }: SseEvent['data']): string {
  if (error) return `error ${error.code}`;
  const frame = (
    result?.['kind'] === undefined
      ? Object.entries(result ?? {}).map(([kind, value]) => ({ kind, ...(value as object) }))[0]
      : result
  ) as {
    kind: string;
    status?: { state: string; message?: { parts: { text: string }[] } };
    artifact?: { parts: { text: string }[] };
    lastChunk?: boolean;
    final?: boolean;
  };
  const said = (frame.status?.message ?? frame.artifact)?.parts.map((part) => part.text).join('');
  return [
    frame.kind,
    frame.status?.state,
    said,
    frame.lastChunk === undefined ? undefined : `last ${frame.lastChunk}`,
    frame.final === undefined ? undefined : `final ${frame.final}`,
  ]
    .filter((word) => word !== undefined)
    .join(' ');
}
