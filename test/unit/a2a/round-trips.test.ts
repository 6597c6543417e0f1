/**
 * What a client writes is what is shown to it later: messages, parts and push configs go from the service's own model
 * to a dialect and back without change; and the official client of 1.0 reads from both dialects the same task and the
 * same frames.
 */
import { expect } from 'chai';
import fc from 'fast-check';
import {
  ListTaskPushNotificationConfigsResponse,
  ListTasksResponse,
  SendMessageResponse,
  StreamResponse,
  Task as SdkTask,
  TaskPushNotificationConfig,
} from 'a2a-sdk-1';
import { legacyPushNotificationToV1StreamResponse } from 'a2a-sdk-1/compat/v0_3';
import { LegacyJsonRpcTransport } from 'a2a-sdk-1/compat/v0_3/client';
import type { Codec } from '../../../src/a2a/codec.js';
import { codecFor } from '../../../src/a2a/codecs.js';
import { pushBody } from '../../../src/a2a/push-body.js';
import type { A2AVersion, PushConfig, PushConfigInput, Task, TaskMessage } from '../../../src/domain/task/task.js';
import { event, message, protoPart, pushConfig, slashPart, task } from './arbitraries.js';

const codecs: readonly { version: A2AVersion; codec: Codec; part: typeof protoPart }[] = [
  { version: '0.2', codec: codecFor('slash', '0.2'), part: slashPart },
  { version: '0.3', codec: codecFor('slash', '0.3'), part: slashPart },
  { version: '1.0', codec: codecFor('pascal', '1.0'), part: protoPart },
];
const slash = codecFor('slash', '0.3');
const proto = codecFor('pascal', '1.0');
/** The SDK takes `data: null` for no content at all. */
const forSdk = <T>(value: T): boolean => !JSON.stringify(value).includes('"data":null');
const overTheWire = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
const ids = { taskId: 'run_1', contextId: 'agent_1' };

const holding = (said: TaskMessage): Task => ({
  id: ids.taskId,
  agent_id: ids.contextId,
  status: 'running',
  statusAt: '2026-11-21T12:00:00.000Z',
  statusSeq: 1,
  statusMessage: null,
  output: null,
  history: [said],
  lastSeq: 1,
});

for (const { version, codec, part } of codecs) {
  describe(`a2a: ${version} there and back`, () => {
    it('a message of the history, sent again, is the message', () => {
      fc.assert(
        fc.property(message(part), (said) => {
          const shown = overTheWire(codec.task(holding(said))) as { history: unknown[] };
          const read = codec.readSend({ message: shown.history[0] });
          expect(read.message).to.deep.equal(said);
          expect(read.taskId).to.equal(ids.taskId);
          expect(read.contextId).to.equal(ids.contextId);
        }),
      );
    });

    it('a push config that is shown, set again, is the config', () => {
      fc.assert(
        fc.property(pushConfig(version), (config) => {
          const read = codec.readSetPush(overTheWire(codec.pushConfig('run_1', config)));
          expect(read).to.deep.equal({ taskId: 'run_1', config });
        }),
      );
    });

    it('a push config inside message/send is the same as one set apart', () => {
      fc.assert(
        fc.property(pushConfig(version), message(part), (config, said) => {
          const shown = overTheWire(codec.pushConfig('run_1', config)) as Record<string, unknown>;
          const configuration =
            version === '1.0'
              ? { taskPushNotificationConfig: shown }
              : { pushNotificationConfig: shown['pushNotificationConfig'] };
          const sent = (overTheWire(codec.task(holding(said))) as { history: unknown[] }).history[0];
          expect(codec.readSend({ message: sent, configuration }).push).to.deep.equal(config satisfies PushConfigInput);
        }),
      );
    });
  });
}

describe('a2a: 1.0 as the official client reads it', () => {
  const exact =
    (write: (value: unknown) => unknown, read: (value: unknown) => unknown) =>
    (ours: unknown): void => {
      const wire = overTheWire(ours);
      expect(write(read(wire))).to.deep.equal(wire);
    };

  it('tasks: no field is unknown to it, none gets lost', () => {
    fc.assert(
      fc.property(task().filter(forSdk), (t) => {
        exact(
          (v) => SdkTask.toJSON(v as SdkTask),
          (v) => SdkTask.fromJSON(v),
        )(proto.task(t, { historyLength: 9 }));
      }),
    );
    fc.assert(
      fc.property(task().filter(forSdk), (t) => {
        exact(
          (v) => SendMessageResponse.toJSON(v as SendMessageResponse),
          (v) => SendMessageResponse.fromJSON(v),
        )(proto.sendResult(t));
      }),
    );
  });

  it('frames: the same', () => {
    fc.assert(
      fc.property(event.filter(forSdk), (e) => {
        const frame = overTheWire(proto.frame(e, ids, false)) as { artifactUpdate?: { append?: boolean } };
        expect(frame.artifactUpdate?.append ?? false).to.equal(false);
        delete frame.artifactUpdate?.append; // the default, which ProtoJSON may leave out and the SDK does
        expect(StreamResponse.toJSON(StreamResponse.fromJSON(frame))).to.deep.equal(frame);
      }),
    );
    fc.assert(
      fc.property(task().filter(forSdk), (t) => {
        exact(
          (v) => StreamResponse.toJSON(v as StreamResponse),
          (v) => StreamResponse.fromJSON(v),
        )(proto.streamTask(t));
      }),
    );
  });

  it('lists and push configs: the same', () => {
    fc.assert(
      fc.property(fc.array(task().filter(forSdk), { minLength: 1, maxLength: 3 }), (tasks) => {
        exact(
          (v) => ListTasksResponse.toJSON(v as ListTasksResponse),
          (v) => ListTasksResponse.fromJSON(v),
        )(proto.listResult({ tasks, nextPageToken: 'n', pageSize: 3, totalSize: 9 }));
      }),
    );
    fc.assert(
      fc.property(fc.array(pushConfig('1.0'), { minLength: 1, maxLength: 3 }), (configs) => {
        exact(
          (v) => ListTaskPushNotificationConfigsResponse.toJSON(v as ListTaskPushNotificationConfigsResponse),
          (v) => ListTaskPushNotificationConfigsResponse.fromJSON(v),
        )(proto.pushList('run_1', configs, 'n'));
        exact(
          (v) => TaskPushNotificationConfig.toJSON(v as TaskPushNotificationConfig),
          (v) => TaskPushNotificationConfig.fromJSON(v),
        )(proto.pushConfig('run_1', configs[0]!));
      }),
    );
  });
});

/** A client of 1.0 that speaks 0.3 to a server that always answers `result`. */
const clientOf = (...results: unknown[]): LegacyJsonRpcTransport =>
  new LegacyJsonRpcTransport({
    endpoint: 'http://agent.test/',
    fetchImpl: async (_url, init) => {
      const { id } = JSON.parse(init?.body as string) as { id: number };
      const [first] = results;
      const streamed = (init?.headers as Record<string, string> | undefined)?.['Accept'] === 'text/event-stream';
      return streamed
        ? new Response(
            results.map((result) => `data: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`).join(''),
            { headers: { 'content-type': 'text/event-stream' } },
          )
        : Response.json({ jsonrpc: '2.0', id, result: first });
    },
  });

describe('a2a: 0.3 as the official client translates it into 1.0', () => {
  it('the task is the task of the 1.0 dialect', async () => {
    await fc.assert(
      fc.asyncProperty(task(slashPart).filter(forSdk), async (t) => {
        const translated = await clientOf(overTheWire(slash.task(t))).getTask({
          tenant: '',
          id: t.id,
          historyLength: undefined,
        });
        expect(SdkTask.toJSON(translated)).to.deep.equal(SdkTask.toJSON(SdkTask.fromJSON(overTheWire(proto.task(t)))));
      }),
    );
  });

  it('the frames are those of the 1.0 dialect, in their order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(event, { minLength: 1, maxLength: 6 }), async (events) => {
        const told = events.map((e) => (e.type === 'answer' && e.parts !== undefined ? { ...e, parts: undefined } : e));
        const translated: unknown[] = [];
        for await (const frame of clientOf(...told.map((e) => slash.frame(e, ids, false))).resubscribeTask({
          tenant: '',
          id: 'run_1',
        }))
          translated.push(StreamResponse.toJSON(frame));
        expect(translated).to.deep.equal(
          told.map((e) => StreamResponse.toJSON(StreamResponse.fromJSON(overTheWire(proto.frame(e, ids, false))))),
        );
      }),
    );
  });

  it('push configs are those of the 1.0 dialect', async () => {
    await fc.assert(
      fc.asyncProperty(pushConfig('1.0'), async (config: PushConfig) => {
        const translated = await clientOf(overTheWire(slash.pushConfig('run_1', config))).getTaskPushNotificationConfig(
          { tenant: '', taskId: 'run_1', id: config.id },
        );
        expect(TaskPushNotificationConfig.toJSON(translated)).to.deep.equal(
          overTheWire(proto.pushConfig('run_1', config)),
        );
      }),
    );
  });

  it('a push of 0.3 tells what a push of 1.0 tells, and neither has a history', () => {
    fc.assert(
      fc.property(task(slashPart).filter(forSdk), (t) => {
        const old = pushBody('0.3', t);
        const now = pushBody('1.0', t);
        expect([old.contentType, now.contentType]).to.deep.equal(['application/json', 'application/a2a+json']);
        expect(pushBody('0.2', t)).to.deep.equal(old);
        const translated = legacyPushNotificationToV1StreamResponse(
          JSON.parse(old.body) as Parameters<typeof legacyPushNotificationToV1StreamResponse>[0],
        );
        expect(StreamResponse.toJSON(translated)).to.deep.equal(JSON.parse(now.body));
        expect(old.body).to.not.match(/^\{"kind":"task".*"history":\[/);
        expect(JSON.parse(now.body)).to.not.have.nested.property('task.history');
      }),
    );
  });
});
