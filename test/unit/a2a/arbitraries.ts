/** Tasks, messages, events and push configs as the service has them, for properties over the dialects. */
import fc from 'fast-check';
import { type RunEvent } from '../../../src/domain/model/model.js';
import { runStatuses, thoughtTypes } from '../../../src/domain/shared/vocabulary.js';
import type { A2AVersion, Part, PushConfig, Task, TaskMessage } from '../../../src/domain/task/task.js';

const storable = fc.string({ unit: 'binary', maxLength: 30 }).map((s) => s.replaceAll('\0', ''));
const named = storable.filter((s) => s !== '');
/** As it comes from the wire, where there is no -0. */
const json = fc
  .jsonValue({ maxDepth: 3, stringUnit: 'grapheme' })
  .map((v) => JSON.parse(JSON.stringify(v)) as unknown)
  .filter((v) => !JSON.stringify(v).includes('\\u0000') && !JSON.stringify(v).includes('__proto__'));
const metadata = fc.dictionary(
  named.filter((k) => k !== '__proto__' && k !== 'data_part_compat'),
  json,
  { maxKeys: 3 },
);
const bytes = fc.uint8Array({ maxLength: 20 }).map((b) => Buffer.from(b).toString('base64'));
const uri = fc.webUrl({ withQueryParameters: true });
const time = fc.integer({ min: 0, max: 4_102_444_800_000 }).map((ms) => new Date(ms).toISOString());
const id = fc.string({ unit: fc.constantFrom(...'abcXYZ019_-'), minLength: 1, maxLength: 20 });

/** What 1.0 can say. */
const described = {
  filename: named,
  mediaType: fc.constantFrom('text/plain', 'application/json', 'image/png'),
  metadata,
};
const optional = <T extends object, K extends Extract<keyof T, string>>(
  model: { [P in keyof T]: fc.Arbitrary<T[P]> },
  requiredKeys: K[],
): fc.Arbitrary<Part> => fc.record(model, { requiredKeys }) as unknown as fc.Arbitrary<Part>;

const file = fc.oneof(
  optional({ kind: fc.constant('file'), bytes, ...described }, ['kind', 'bytes']),
  optional({ kind: fc.constant('file'), uri, ...described }, ['kind', 'uri']),
);
export const protoPart = fc.oneof(
  optional({ kind: fc.constant('text'), text: named, ...described }, ['kind', 'text']),
  optional({ kind: fc.constant('data'), data: json, ...described }, ['kind', 'data']),
  file,
);
/** What 0.2 and 0.3 can say: text and data have neither name nor media type there. */
export const slashPart = fc.oneof(
  optional({ kind: fc.constant('text'), text: named, metadata }, ['kind', 'text']),
  optional({ kind: fc.constant('data'), data: json, metadata: metadata.filter((m) => Object.keys(m).length > 0) }, [
    'kind',
    'data',
  ]),
  file,
);

export const message = (
  part: fc.Arbitrary<Part>,
  role: fc.Arbitrary<'user' | 'agent'> = fc.constant('user'),
): fc.Arbitrary<TaskMessage> =>
  fc.record(
    {
      messageId: named,
      role,
      parts: fc.array(part, { minLength: 1, maxLength: 4 }),
      metadata,
      extensions: fc.array(uri, { minLength: 1, maxLength: 2 }),
      referenceTaskIds: fc.array(id, { minLength: 1, maxLength: 2 }),
    },
    { requiredKeys: ['messageId', 'role', 'parts'] },
  );

const headerText = fc.string({ unit: fc.constantFrom(...'aZ09+/=._~!'), minLength: 1, maxLength: 30 });
export const pushConfig = (version: A2AVersion): fc.Arbitrary<PushConfig> =>
  fc.record(
    {
      id,
      url: uri,
      token: headerText,
      version: fc.constant(version),
      authentication: fc.record(
        {
          schemes: fc.array(fc.constantFrom('Bearer', 'Basic'), { minLength: 1, maxLength: version === '1.0' ? 1 : 3 }),
          credentials: headerText,
        },
        { requiredKeys: ['schemes'] },
      ),
    },
    { requiredKeys: ['id', 'url', 'version'] },
  );

export const task = (part: fc.Arbitrary<Part> = protoPart): fc.Arbitrary<Task> =>
  fc.record({
    id: id.map((i) => `run_${i}`),
    agent_id: id.map((i) => `agent_${i}`),
    status: fc.constantFrom(...runStatuses),
    statusAt: time,
    statusSeq: fc.integer({ min: 1, max: 99 }),
    statusMessage: fc.option(storable),
    output: fc.option(fc.array(part, { minLength: 1, maxLength: 3 })),
    history: fc.option(fc.array(message(part, fc.constantFrom('user', 'agent')), { maxLength: 4 })),
    lastSeq: fc.integer({ min: 1, max: 99 }),
  });

const occurred = fc.oneof(
  fc.record({
    type: fc.constant('status' as const),
    status: fc.constantFrom(...runStatuses),
    stopReason: fc.constant(null),
    message: fc.option(storable),
  }),
  fc.record({ type: fc.constant('answer' as const), content: named }),
  fc.record({
    type: fc.constant('answer' as const),
    content: named,
    parts: fc.array(protoPart, { minLength: 1, maxLength: 3 }),
  }),
  fc.record({
    type: fc.constant('thought' as const),
    thought: fc.record({
      id: id.map((i) => `thought_${i}`),
      thoughtType: fc.constantFrom(...thoughtTypes),
      content: named,
      runId: id,
      sessionId: id,
      agent_id: id,
      step: fc.integer({ min: 1, max: 9 }),
      created_at: time,
    }),
  }),
);
export const event: fc.Arbitrary<RunEvent> = fc
  .tuple(fc.integer({ min: 1, max: 999 }), time, occurred)
  .map(([seq, at, what]) => ({ seq, at, ...what }));
