/**
 * Requests that are wrong: the code, the field and the words, exactly; and no input makes a reader fail in another way.
 */
import { expect } from 'chai';
import fc from 'fast-check';
import type { Codec } from '../../../src/a2a/codec.js';
import { codecFor } from '../../../src/a2a/codecs.js';
import { RpcError } from '../../../src/a2a/rpc.js';

const slash = codecFor('slash', '0.3');
const proto = codecFor('pascal', '1.0');

function refusalOf(read: () => unknown): RpcError | null {
  try {
    read();
    return null;
  } catch (error) {
    if (error instanceof RpcError) return error;
    throw error;
  }
}

type Wrong = readonly [params: unknown, message: string];
function table(read: (params: unknown) => unknown, wrong: readonly Wrong[]): void {
  for (const [params, message] of wrong) {
    it(`${message} <- ${JSON.stringify(params)?.slice(0, 120) ?? 'nothing'}`, () => {
      const refusal = refusalOf(() => read(params));
      expect(refusal?.message).to.equal(`Invalid parameters: ${message}`);
      expect(refusal?.code).to.equal(-32602);
    });
  }
}

const long = (n: number): string => 'x'.repeat(n);
const objects: readonly Wrong[] = [
  [undefined, 'params must be an object'],
  [null, 'params must be an object'],
  [[], 'params must be an object'],
  ['a', 'params must be an object'],
  [1, 'params must be an object'],
];

describe('a2a: malformed message/send of 0.2 and 0.3', () => {
  const said = (fields: object) => ({
    message: { kind: 'message', role: 'user', messageId: 'm', parts: [{ kind: 'text', text: 'a' }], ...fields },
  });
  const part = (...parts: unknown[]) => said({ parts });
  const set = (configuration: unknown) => ({ ...said({}), configuration });
  const push = (fields: object) => set({ pushNotificationConfig: { url: 'https://h/', ...fields } });
  const kinds = 'must be "text", "file" or "data"';
  table(slash.readSend, [
    ...objects,
    [{}, 'message is required (an object)'],
    [{ '': 'not_a_dict' }, 'message is required (an object)'],
    [{ message: 'a' }, 'message must be an object'],
    [{ message: { kind: 'message' } }, 'message.role is required ("user")'],
    [said({ kind: 'task' }), 'message.kind must be "message"'],
    [said({ role: 'agent' }), 'message.role must be "user"'],
    [said({ role: 'ROLE_USER' }), 'message.role must be "user"'],
    [said({ role: undefined }), 'message.role is required ("user")'],
    [said({ role: 1 }), 'message.role must be "user"'],
    [said({ messageId: undefined }), 'message.messageId is required (a string)'],
    [said({ messageId: 7 }), 'message.messageId must be a string'],
    [said({ messageId: '' }), 'message.messageId must not be empty'],
    [said({ messageId: long(257) }), 'message.messageId must be at most 256 characters long'],
    [said({ messageId: 'a\0' }), 'message.messageId must be well-formed Unicode without NUL'],
    [said({ parts: undefined }), 'message.parts is required (an array)'],
    [said({ parts: 'invalid' }), 'message.parts must be an array'],
    [said({ parts: {} }), 'message.parts must be an array'],
    [part(), 'message.parts must have at least one part'],
    [said({ parts: Array(101).fill({ kind: 'text', text: 'a' }) }), 'message.parts must have at most 100 parts'],
    [part('a'), 'message.parts.0 must be an object'],
    [part(null), 'message.parts.0 must be an object'],
    [part({}), `message.parts.0.kind ${kinds}`],
    [part({ type: 'text', text: 'a' }), `message.parts.0.kind ${kinds}`],
    [part({ kind: 'text', text: 'a' }, { kind: 'image' }), `message.parts.1.kind ${kinds}`],
    [part({ kind: 'text' }), 'message.parts.0.text is required (a string)'],
    [part({ kind: 'text', text: null }), 'message.parts.0.text must be a string'],
    [part({ kind: 'text', text: 'a\0b' }), 'message.parts.0.text must be well-formed Unicode without NUL'],
    [part({ kind: 'text', text: '\ud800' }), 'message.parts.0.text must be well-formed Unicode without NUL'],
    [part({ kind: 'text', text: '' }), 'message.parts must not be empty text alone'],
    [part({ kind: 'text', text: 'a', metadata: [] }), 'message.parts.0.metadata must be an object'],
    [
      part({ kind: 'text', text: 'a', metadata: { a: ['\udc00'] } }),
      'message.parts.0.metadata must be well-formed Unicode without NUL',
    ],
    [part({ kind: 'file' }), 'message.parts.0.file is required (an object)'],
    [part({ kind: 'file', file: 'a' }), 'message.parts.0.file must be an object'],
    [part({ kind: 'file', file: { url: 'https://h/' } }), 'message.parts.0.file must have either bytes or uri'],
    [
      part({ kind: 'file', file: { bytes: 'aGk=', uri: 'https://h/' } }),
      'message.parts.0.file must have either bytes or uri',
    ],
    [part({ kind: 'file', file: { bytes: 'a b=' } }), 'message.parts.0.file.bytes must be base64'],
    [part({ kind: 'file', file: { bytes: 'aGkaa' } }), 'message.parts.0.file.bytes must be base64'],
    [part({ kind: 'file', file: { bytes: 'aG=' } }), 'message.parts.0.file.bytes must be base64'],
    [part({ kind: 'file', file: { bytes: 'a-_b' } }), 'message.parts.0.file.bytes must be base64'],
    [part({ kind: 'file', file: { uri: '/etc/passwd' } }), 'message.parts.0.file.uri must be an absolute URL'],
    [
      part({ kind: 'file', file: { uri: `https://h/${long(2048)}` } }),
      'message.parts.0.file.uri must be at most 2048 characters long',
    ],
    [part({ kind: 'file', file: { bytes: 'aGk=', name: 1 } }), 'message.parts.0.file.name must be a string'],
    [
      part({ kind: 'file', file: { bytes: 'aGk=', mimeType: long(257) } }),
      'message.parts.0.file.mimeType must be at most 256 characters long',
    ],
    [part({ kind: 'data' }), 'message.parts.0.data is required (an object)'],
    [part({ kind: 'data', data: 'a' }), 'message.parts.0.data must be an object'],
    [part({ kind: 'data', data: { a: '\0' } }), 'message.parts.0.data must be well-formed Unicode without NUL'],
    [said({ taskId: 5 }), 'message.taskId must be a string'],
    [said({ taskId: '' }), 'message.taskId must not be empty'],
    [said({ taskId: long(129) }), 'message.taskId must be at most 128 characters long'],
    [said({ contextId: {} }), 'message.contextId must be a string'],
    [said({ contextId: long(129) }), 'message.contextId must be at most 128 characters long'],
    [said({ metadata: 'a' }), 'message.metadata must be an object'],
    [said({ metadata: { 'a\0': 1 } }), 'message.metadata must be well-formed Unicode without NUL'],
    [said({ extensions: 'a' }), 'message.extensions must be an array of URIs'],
    [said({ extensions: [1] }), 'message.extensions.0 must be a string'],
    [said({ referenceTaskIds: ['a', ''] }), 'message.referenceTaskIds.1 must not be empty'],
    [said({ referenceTaskIds: Array(101).fill('a') }), 'message.referenceTaskIds must have at most 100 items'],
    [{ ...said({}), metadata: 1 }, 'metadata must be an object'],
    [set('a'), 'configuration must be an object'],
    [set({ blocking: 'true' }), 'configuration.blocking must be true or false'],
    [set({ historyLength: -1 }), 'configuration.historyLength must be 0 or more, as a 32-bit integer'],
    [set({ historyLength: 1.5 }), 'configuration.historyLength must be an integer'],
    [set({ historyLength: '1' }), 'configuration.historyLength must be an integer'],
    [set({ acceptedOutputModes: 'text/plain' }), 'configuration.acceptedOutputModes must be an array of media types'],
    [set({ acceptedOutputModes: [''] }), 'configuration.acceptedOutputModes.0 must not be empty'],
    [set({ pushNotificationConfig: {} }), 'configuration.pushNotificationConfig.url is required (a string)'],
    [push({ url: 'nowhere' }), 'configuration.pushNotificationConfig.url must be an absolute URL'],
    [push({ id: 'a/b' }), 'configuration.pushNotificationConfig.id must consist of letters, digits, . _ : and -'],
    [push({ id: long(129) }), 'configuration.pushNotificationConfig.id must be at most 128 characters long'],
    ...['a\r\nX-Admin: 1', 'a\nb', 'a\0', ' a', 'a ', 'ü', 'a\tb'].map((token): Wrong => [
      push({ token }),
      'configuration.pushNotificationConfig.token must be visible ASCII characters, as it is sent in a header',
    ]),
    [push({ token: long(1025) }), 'configuration.pushNotificationConfig.token must be at most 1024 characters long'],
    [
      push({ authentication: {} }),
      'configuration.pushNotificationConfig.authentication.schemes is required (an array of schemes)',
    ],
    [
      push({ authentication: { schemes: ['a b'] } }),
      'configuration.pushNotificationConfig.authentication.schemes.0 must be the name of an HTTP authentication scheme',
    ],
    [
      push({ authentication: { schemes: ['Bearer'], credentials: 'a\r\n' } }),
      'configuration.pushNotificationConfig.authentication.credentials must be visible ASCII characters, as it is sent in a header',
    ],
  ]);

  it('null is a field left out; a message may leave out its kind, and unknown fields mean nothing', () => {
    const sparse = slash.readSend({
      message: {
        role: 'user',
        messageId: 'm',
        parts: [{ kind: 'text', text: 'a', metadata: null }],
        taskId: null,
        contextId: null,
        metadata: null,
        extensions: [],
        _debug: 1,
      },
      configuration: null,
      more: [],
    });
    expect(sparse).to.deep.equal({
      message: { messageId: 'm', role: 'user', parts: [{ kind: 'text', text: 'a' }] },
      wait: 'natural',
    });
    expect(slash.readSend(set({ blocking: true })).wait).to.equal('settled');
    expect(slash.readSend(set({ blocking: false })).wait).to.equal('started');
    expect(slash.readSend(push({ token: '', id: null })).push).to.deep.equal({ url: 'https://h/', version: '0.3' });
  });

  it('data may be an array, as a kit of 0.2 sends it', () => {
    expect(slash.readSend(part({ kind: 'data', data: [{ a: 1 }] })).message.parts).to.deep.equal([
      { kind: 'data', data: [{ a: 1 }] },
    ]);
  });
});

describe('a2a: malformed requests of 0.2 and 0.3 about tasks', () => {
  table(slash.readGet, [
    ...objects,
    [{}, 'id is required (a string)'],
    [{ taskId: 12345 }, 'id is required (a string)'],
    [{ id: 1 }, 'id must be a string'],
    [{ id: '' }, 'id must not be empty'],
    [{ id: long(129) }, 'id must be at most 128 characters long'],
    [{ id: 'a', historyLength: -1 }, 'historyLength must be 0 or more, as a 32-bit integer'],
    [{ id: 'a', historyLength: 2 ** 31 }, 'historyLength must be 0 or more, as a 32-bit integer'],
  ]);
  table(slash.readId, [...objects, [{}, 'id is required (a string)'], [{ id: null }, 'id must be a string']]);
  table(slash.readSetPush, [
    ...objects,
    [{ pushNotificationConfig: { url: 'https://h/' } }, 'taskId is required (a string)'],
    [{ taskId: 'a' }, 'pushNotificationConfig is required (an object)'],
    [{ taskId: 'a', pushNotificationConfig: { url: 1 } }, 'pushNotificationConfig.url must be a string'],
  ]);
  table(slash.readPush, [
    ...objects,
    [{}, 'id is required (a string)'],
    [{ id: 'a', pushNotificationConfigId: 1 }, 'pushNotificationConfigId must be a string'],
    [{ id: 'a', pushNotificationConfigId: long(129) }, 'pushNotificationConfigId must be at most 128 characters long'],
  ]);
  table(slash.readListPush, [[{}, 'id is required (a string)']]);

  it('has no list of tasks', () => {
    expect(refusalOf(() => slash.readList({}))).to.include({ code: -32601, reason: 'METHOD_NOT_FOUND' });
  });
});

describe('a2a: malformed requests of 1.0', () => {
  const said = (fields: object) => ({
    message: { role: 'ROLE_USER', messageId: 'm', parts: [{ text: 'a' }], ...fields },
  });
  const part = (...parts: unknown[]) => said({ parts });
  const one = 'message.parts.0 must have exactly one of text, raw, url and data';
  table(proto.readSend, [
    ...objects,
    [{}, 'message is required (an object)'],
    [said({ role: undefined }), 'message.role is required ("ROLE_USER")'],
    ...['user', 'ROLE_AGENT', 'ROLE_UNSPECIFIED', 0, 2].map((role): Wrong => [
      said({ role }),
      'message.role must be "ROLE_USER"',
    ]),
    [said({ messageId: undefined }), 'message.messageId is required (a string)'],
    [said({ messageId: '' }), 'message.messageId must not be empty'],
    [part(), 'message.parts must have at least one part'],
    [part('a'), 'message.parts.0 must be an object'],
    [part({}), one],
    [part({ filename: 'a' }), one],
    [part({ kind: 'text' }), one],
    [part({ text: 'a', data: {} }), one],
    [part({ raw: 'aGk=', url: 'https://h/' }), one],
    [part({ text: 'a', raw: '' }), one],
    [part({ text: 1 }), 'message.parts.0.text must be a string'],
    [part({ raw: '*' }), 'message.parts.0.raw must be base64'],
    [part({ url: 'x' }), 'message.parts.0.url must be an absolute URL'],
    [part({ text: 'a', mediaType: 1 }), 'message.parts.0.mediaType must be a string'],
    [part({ text: '' }), 'message.parts must not be empty text alone'],
    [said({ task_id: 5 }), 'message.taskId must be a string'],
    [{ ...said({}), configuration: { returnImmediately: 1 } }, 'configuration.returnImmediately must be true or false'],
    [
      { ...said({}), configuration: { historyLength: '-1' } },
      'configuration.historyLength must be 0 or more, as a 32-bit integer',
    ],
    [{ ...said({}), configuration: { historyLength: 'many' } }, 'configuration.historyLength must be an integer'],
    [
      { ...said({}), configuration: { taskPushNotificationConfig: { token: 'a' } } },
      'configuration.taskPushNotificationConfig.url is required (a string)',
    ],
    [
      {
        ...said({}),
        configuration: { taskPushNotificationConfig: { url: 'https://h/', authentication: { credentials: 'a' } } },
      },
      'configuration.taskPushNotificationConfig.authentication.scheme is required (a string)',
    ],
  ]);
  const state = 'status must be a task state, such as "TASK_STATE_WORKING"';
  const size = 'pageSize must be from 1 to 100';
  table(proto.readList, [
    ...objects.slice(1), // without params it lists
    [{ pageSize: 0 }, size],
    [{ pageSize: 101 }, size],
    [{ page_size: -1 }, size],
    [{ pageSize: 1.5 }, 'pageSize must be an integer'],
    [{ status: 'working' }, state],
    [{ status: 9 }, state],
    [{ status: {} }, state],
    [{ pageToken: 1 }, 'pageToken must be a string'],
    [{ contextId: 1 }, 'contextId must be a string'],
    [{ historyLength: -5 }, 'historyLength must be 0 or more, as a 32-bit integer'],
    [{ includeArtifacts: 'yes' }, 'includeArtifacts must be true or false'],
    [{ statusTimestampAfter: 'yesterday' }, 'statusTimestampAfter must be a time such as 2026-01-31T12:00:00.000Z'],
    [
      { statusTimestampAfter: '9999-12-31T23:59:59.9999Z' },
      'statusTimestampAfter must be in the years 0000 to 9999, in UTC',
    ],
  ]);
  table(proto.readGet, [
    ...objects,
    [{}, 'id is required (a string)'],
    [{ id: 'a', historyLength: -1 }, 'historyLength must be 0 or more, as a 32-bit integer'],
  ]);
  table(proto.readId, [...objects, [{ id: 5 }, 'id must be a string'], [{ id: '' }, 'id must not be empty']]);
  table(proto.readSetPush, [
    ...objects,
    [{ url: 'https://h/' }, 'taskId is required (a string)'],
    [{ taskId: 'a' }, 'url is required (a string)'],
  ]);
  table(proto.readPush, [
    ...objects,
    [{ taskId: 'a' }, 'id is required (a string)'],
    [{ id: 'a' }, 'taskId is required (a string)'],
    [{ taskId: 'a', id: '' }, 'id must not be empty'],
  ]);
  table(proto.readListPush, [
    ...objects,
    [{}, 'taskId is required (a string)'],
    [{ taskId: 'a', pageSize: -1 }, 'pageSize must be 0 or more, as a 32-bit integer'],
  ]);

  it('reads what else ProtoJSON allows: names of the .proto file, numbers as text, enums by number, URL base64, empty as absent', () => {
    const read = proto.readSend({
      tenant: '',
      message: {
        role: 1,
        message_id: 'm',
        context_id: 'c',
        task_id: '',
        reference_task_ids: [],
        metadata: { snake_case: 1 },
        parts: [
          { raw: 'a-_b', media_type: 'text/plain', filename: '' },
          { data: { snake_case: 2 } },
          { data: null },
          { text: '', data: null },
        ],
      },
      configuration: {
        history_length: '3',
        return_immediately: true,
        accepted_output_modes: [],
        task_push_notification_config: { task_id: '', url: 'https://h/', token: '', authentication: null },
      },
    });
    expect(read).to.deep.equal({
      message: {
        messageId: 'm',
        role: 'user',
        metadata: { snake_case: 1 },
        parts: [
          { kind: 'file', bytes: 'a+/b', mediaType: 'text/plain' },
          { kind: 'data', data: { snake_case: 2 } },
          { kind: 'data', data: null },
          { kind: 'text', text: '' },
        ],
      },
      contextId: 'c',
      wait: 'started',
      historyLength: 3,
      push: { url: 'https://h/', version: '1.0' },
    });
    expect(
      proto.readList({
        context_id: 'c',
        page_size: '7',
        status: 4,
        include_artifacts: true,
        page_token: 'p',
        status_timestamp_after: '2026-01-01T01:00:00.000000001+01:00',
      }),
    ).to.deep.equal({
      contextId: 'c',
      pageSize: 7,
      statuses: ['failed', 'timeout'],
      includeArtifacts: true,
      pageToken: 'p',
      changedSince: '2026-01-01T00:00:00.001Z',
    });
    expect(proto.readList({ status: 'TASK_STATE_UNSPECIFIED' })).to.not.have.property('statuses');
    expect(proto.readList({ status: 'TASK_STATE_REJECTED' }).statuses).to.deep.equal([]);
    expect(proto.readListPush({ task_id: 'a', page_size: 0, page_token: '' })).to.deep.equal({ taskId: 'a' });
  });

  it('does not change what it was given', () => {
    const params = {
      message: { role: 'ROLE_USER', message_id: 'm', parts: [{ text: 'a', media_type: 'text/plain' }] },
      configuration: { history_length: 1 },
    };
    const before = structuredClone(params);
    proto.readSend(params);
    expect(params).to.deep.equal(before);
  });
});

describe('a2a: any params at all', () => {
  const keys = [
    'message',
    'configuration',
    'role',
    'messageId',
    'message_id',
    'parts',
    'kind',
    'text',
    'file',
    'bytes',
    'uri',
    'url',
    'raw',
    'data',
    'id',
    'taskId',
    'historyLength',
    'pageSize',
    'status',
    'statusTimestampAfter',
    'pushNotificationConfig',
    'taskPushNotificationConfig',
    'token',
    'authentication',
    'schemes',
    'scheme',
    'metadata',
    '__proto__',
    'constructor',
  ];
  const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
    tree: fc.oneof(
      { depthSize: 'medium', withCrossShrink: true },
      fc.constantFrom(
        'user',
        'ROLE_USER',
        'message',
        'text',
        'file',
        'data',
        '',
        'a',
        '2026-01-01T00:00:00Z',
        'https://h/',
        0,
        -1,
        1,
        1.5,
        true,
        null,
      ),
      fc.string(),
      fc.array(tie('tree'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom(...keys), tie('tree'), { maxKeys: 6 }),
    ),
  }));
  const names = [
    'readSend',
    'readGet',
    'readId',
    'readSetPush',
    'readPush',
    'readListPush',
  ] as const satisfies readonly (keyof Codec)[];

  it('are read, or refused with -32602, a path and a sentence of bounded length', () => {
    fc.assert(
      fc.property(tree, (params) => {
        for (const codec of [slash, proto]) {
          for (const name of codec === proto ? [...names, 'readList' as const] : names) {
            const refusal = refusalOf(() => codec[name](params));
            if (refusal === null) continue;
            expect(refusal.code).to.equal(-32602);
            expect(refusal.message.length).to.be.below(500);
            expect(refusal.violations.length).to.be.below(21);
          }
        }
      }),
      { numRuns: 500 },
    );
  });
});
