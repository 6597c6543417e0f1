/** What real clients of each generation write is read as what they meant. */
import { expect } from 'chai';
import type { Codec } from '../../../src/a2a/codec.js';
import { codecFor, readVersion } from '../../../src/a2a/codecs.js';
import { methods, type Operation } from '../../../src/a2a/methods.js';
import { recorded02, recorded03, recorded10, type Recorded } from './recorded.js';

const readers: Readonly<Record<Operation, (codec: Codec, params: unknown) => unknown>> = {
  send: (codec, params) => codec.readSend(params),
  stream: (codec, params) => codec.readSend(params),
  get: (codec, params) => codec.readGet(params),
  list: (codec, params) => codec.readList(params),
  cancel: (codec, params) => codec.readCancel(params),
  subscribe: (codec, params) => codec.readSubscribe(params),
  setPush: (codec, params) => codec.readSetPush(params),
  getPush: (codec, params) => codec.readGetPush(params),
  listPush: (codec, params) => codec.readListPush(params),
  deletePush: (codec, params) => codec.readDeletePush(params),
  card: () => ({}),
};

function read({ method, params }: Recorded, version: string | undefined): unknown {
  const known = methods.get(method);
  if (known === undefined) throw new Error(`unknown method ${method}`);
  return readers[known.operation](codecFor(known.dialect, readVersion(version)), params);
}

const parts = (dataMediaType?: string) => [
  { kind: 'text', text: 'hi' },
  { kind: 'file', bytes: 'aGk=', filename: 'a.txt', mediaType: 'text/plain' },
  { kind: 'file', uri: 'https://x/y' },
  {
    kind: 'data',
    data: { a: 1 },
    metadata: { k: 1 },
    ...(dataMediaType === undefined ? {} : { mediaType: dataMediaType }),
  },
];
const push = (version: string) => ({
  id: 'p',
  url: 'https://h/',
  token: 'tok',
  authentication: { schemes: ['Bearer'], credentials: 'c' },
  version,
});
const slashSend = (version: string) => ({
  message: {
    messageId: 'm1',
    role: 'user',
    parts: parts(),
    metadata: { k: 'v' },
    extensions: ['e'],
    referenceTaskIds: ['r'],
  },
  wait: 'started',
  taskId: 't',
  contextId: 'c',
  historyLength: 2,
  acceptedOutputModes: ['text/plain'],
  push: push(version),
});
const protoMessage = {
  messageId: 'm1',
  role: 'user',
  parts: parts('application/json'),
  metadata: { k: 'v' },
  referenceTaskIds: ['r'],
};

type Expected = readonly (readonly [string, unknown])[];
function slashCommon(version: string): Expected {
  return [
    ['message/send', slashSend(version)],
    ['message/stream', slashSend(version)],
    ['tasks/get', { id: 't', historyLength: 1 }],
    ['tasks/cancel', { id: 't' }],
    ['tasks/resubscribe', { id: 't' }],
    ['tasks/pushNotificationConfig/set', { taskId: 't', config: { url: 'https://h/', token: 'k', version } }],
  ];
}

const expectations: readonly (readonly [string, string | undefined, readonly Recorded[], Expected])[] = [
  ['0.2', '0.2', recorded02, [...slashCommon('0.2'), ['tasks/pushNotificationConfig/get', { taskId: 't' }]]],
  [
    '0.3, which sends no version',
    undefined,
    recorded03,
    [
      ...slashCommon('0.3'),
      ['tasks/pushNotificationConfig/get', { taskId: 't', id: 'p' }],
      ['tasks/pushNotificationConfig/list', { taskId: 't' }],
      ['tasks/pushNotificationConfig/delete', { taskId: 't', id: 'p' }],
    ],
  ],
  [
    '1.0',
    '1.0',
    recorded10,
    [
      [
        'SendMessage',
        {
          message: protoMessage,
          wait: 'started',
          historyLength: 2,
          acceptedOutputModes: ['text/plain'],
          push: push('1.0'),
        },
      ],
      ['SendStreamingMessage', { message: protoMessage, wait: 'settled' }],
      ['GetTask', { id: 't', historyLength: 0 }],
      ['CancelTask', { id: 't' }],
      ['SubscribeToTask', { id: 't' }],
      ['CreateTaskPushNotificationConfig', { taskId: 't', config: { url: 'https://h/', token: 'k', version: '1.0' } }],
      ['GetTaskPushNotificationConfig', { taskId: 't', id: 'p' }],
      ['ListTaskPushNotificationConfigs', { taskId: 't' }],
      ['DeleteTaskPushNotificationConfig', { taskId: 't', id: 'p' }],
      [
        'ListTasks',
        {
          contextId: 'c',
          statuses: ['running'],
          pageSize: 10,
          historyLength: 1,
          changedSince: '2026-01-01T00:00:00.000Z',
          includeArtifacts: true,
        },
      ],
      ['ListTasks', { pageSize: 50, includeArtifacts: false }],
      ['GetExtendedAgentCard', {}],
    ],
  ],
];

describe('a2a: requests as the official clients write them', () => {
  for (const [name, version, recorded, expected] of expectations) {
    it(name, () => {
      expect(recorded.map((request) => request.method)).to.have.members(expected.map(([method]) => method));
      for (const [method, wanted] of expected) {
        const meant = recorded.filter((request) => request.method === method).map((request) => read(request, version));
        expect(meant, method).to.deep.include(wanted);
      }
    });
  }
});

describe('a2a: methods and versions', () => {
  it('every method has one dialect; what objects inherit is no method', () => {
    expect(methods).to.have.property('size', 21);
    for (const [name, { dialect }] of methods)
      expect(/^[a-z]+(\/[A-Za-z]+)+$/.test(name) ? 'slash' : 'pascal', name).to.equal(dialect);
    for (const name of ['constructor', 'toString', '__proto__', 'message/Send', 'sendMessage', ''])
      expect(methods.has(name), name).to.equal(false);
  });

  it('a version is Major.Minor; a patch says nothing; absent or empty is 0.3', () => {
    for (const [given, version] of [
      [undefined, '0.3'],
      ['', '0.3'],
      [' ', '0.3'],
      ['0.2', '0.2'],
      ['0.2.5', '0.2'],
      ['0.3', '0.3'],
      ['0.3.0', '0.3'],
      ['1.0', '1.0'],
      [' 1.0 ', '1.0'],
      ['1.0.1', '1.0'],
    ] as const) {
      expect(readVersion(given), String(given)).to.equal(version);
    }
    for (const given of [
      '1',
      '1.1',
      '2.0',
      '0.1',
      '10.0',
      '1.0.',
      '1.0.x',
      '1.0.1.2',
      'v1.0',
      '1,0',
      '0.30',
      '99.0',
      '1.0, 0.3',
    ]) {
      expect(() => readVersion(given), given)
        .to.throw('Version not supported: this agent speaks 0.2, 0.3, 1.0')
        .with.property('code', -32009);
    }
  });

  it('the dialect decides; the header only between 0.2 and 0.3', () => {
    expect(codecFor('slash', '0.2').version).to.equal('0.2');
    expect(codecFor('slash', '0.3').version).to.equal('0.3');
    expect(codecFor('slash', '1.0').version).to.equal('0.3');
    for (const version of ['0.2', '0.3', '1.0'] as const) expect(codecFor('pascal', version).version).to.equal('1.0');
  });
});
