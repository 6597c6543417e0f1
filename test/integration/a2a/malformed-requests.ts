/** Requests that are wrong in one way each, and the code that tells which (JSON-RPC 2.0, 5.1; A2A 1.0, 5.4). */
import { protoMessage, slashMessage } from './kit.js';

export interface Malformed {
  what: string;
  body: string | Buffer;
  code: number;
  /** What the answer echoes: 7, unless the id itself is wrong or was never read. */
  id: unknown;
  headers?: Record<string, string>;
  query?: string;
}

const request = (more: object): object => ({
  jsonrpc: '2.0',
  id: 7,
  method: 'message/send',
  params: { message: slashMessage },
  ...more,
});
const json = (value: unknown): string => JSON.stringify(value);
const row = (
  what: string,
  code: number,
  body: string | Buffer | object,
  id: unknown = 7,
  more: Pick<Malformed, 'headers' | 'query'> = {},
): Malformed => ({
  what,
  code,
  body: typeof body === 'string' || Buffer.isBuffer(body) ? body : json(body),
  id,
  ...more,
});

const nested = (depth: number, open: string, close: string): string =>
  `{"jsonrpc":"2.0","id":7,"method":"message/send","params":${open.repeat(depth)}${close.repeat(depth)}}`;

const notJson: readonly (string | Buffer)[] = [
  '',
  ' ',
  '{',
  '}',
  '[',
  '{"jsonrpc":"2.0","id":7',
  `${json(request({}))},`,
  `${json(request({}))}${json(request({}))}`,
  json(request({})).replace('7', '7,'),
  json(request({})).replaceAll('"', "'"),
  '{jsonrpc:"2.0"}',
  '// a comment\n{}',
  '{"id":01}',
  '{"id":+1}',
  '{"id":0x7}',
  '{"id":NaN}',
  '{"id":.5}',
  'undefined',
  '{"id":"\\x"}',
  '{"id":"\\u12"}',
  '{"id":"a\nb"}',
  '<request/>',
  'jsonrpc=2.0&id=7',
  `\ufeff${json(request({}))}`,
  Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
  Buffer.concat([Buffer.from('{"id":"'), Buffer.from([0xc3, 0x28]), Buffer.from('"}')]),
  Buffer.concat([Buffer.from('{"id":"'), Buffer.from([0xed, 0xa0, 0x80]), Buffer.from('"}')]),
  Buffer.from(json(request({})), 'utf16le'),
  Buffer.from([0]),
  nested(64, '[', ']'),
  `{"a":${'['.repeat(200_000)}`,
  nested(64, '{"a":', '}').replace('""', '1'),
];

const notARequest: readonly Malformed[] = [
  ...[
    '[]',
    '[1]',
    json([request({})]),
    json([request({ id: 1 }), request({ id: 2 })]),
    'null',
    '7',
    '"message/send"',
    'true',
    '-0.5',
  ].map((body) => row(`the body ${body.slice(0, 30)}`, -32600, body, null)),
  ...[undefined, null, '1.0', '2', '2.00', '2.0 ', 2, ['2.0'], {}].map((jsonrpc) =>
    row(`jsonrpc ${json(jsonrpc)}`, -32600, request({ jsonrpc })),
  ),
  ...[{}, { a: 1 }, [], [7], true, false, 9007199254740992].map((id) =>
    row(`id ${json(id)}`, -32600, request({ id }), null),
  ),
  row('an id that no number can hold', -32600, json(request({})).replace('"id":7', '"id":1e400'), null),
  row(
    'an id that a number would round',
    -32600,
    json(request({})).replace('"id":7', '"id":12345678901234567890'),
    null,
  ),
  ...[undefined, null, 7, true, {}, ['message/send']].map((method) =>
    row(`method ${json(method)}`, -32600, request({ method })),
  ),
  row('neither id nor method', -32600, { jsonrpc: '2.0' }, null),
  row('NUL in an id', -32600, request({ id: 'a\0' }), 'a\0'),
  row('__proto__ beside the params', -32600, json(request({})).replace('"id":7', '"id":7,"__proto__":{"method":"x"}')),
];

const unknownMethods = [
  '',
  ' ',
  'message/ssend',
  'message/send ',
  'Message/Send',
  'MESSAGE/SEND',
  'message.send',
  '/message/send',
  'sendMessage',
  'SENDMESSAGE',
  'constructor',
  '__proto__',
  'toString',
  'tasks/list',
  'tasks/send',
  'tasks/pushNotification/set',
  'tasks/pushNotificationConfig',
  'rpc.discover',
  'GetAgentCard',
  'SendMessage\n',
  'm'.repeat(10_000),
  'méssage/send',
  '\ud800',
];

const versions = ['99.0', '2.0', '0.1', '0.4', '1', '1.1', '0', '.', 'v1.0', '1.0.x', '1.0, 0.3', 'latest', '0.3 0.3'];

/** One wrong field of each kind of request; test/unit/a2a/malformed.test.ts has every field. */
const fields: readonly [method: string, what: string, params: object][] = [
  ['message/send', 'a text part without text', { message: { ...slashMessage, parts: [{ kind: 'text' }] } }],
  ['message/send', 'historyLength -1', { message: slashMessage, configuration: { historyLength: -1 } }],
  ['SendMessage', 'a part of two kinds', { message: { ...protoMessage, parts: [{ text: 'a', data: {} }] } }],
  ['tasks/get', 'id 7', { id: 7 }],
  ['tasks/cancel', 'no id', {}],
  ['tasks/pushNotificationConfig/set', 'no config', { taskId: 'run_1' }],
  ['tasks/pushNotificationConfig/get', 'no id', {}],
  ['tasks/pushNotificationConfig/list', 'id 7', { id: 7 }],
  ['tasks/pushNotificationConfig/delete', 'no id', { pushNotificationConfigId: 'push_1' }],
  ['ListTasks', 'a pageToken that we never gave', { pageToken: 'abc' }],
  ['ListTaskPushNotificationConfigs', 'a pageToken that we never gave', { taskId: 'run_1', pageToken: 'abc' }],
];

const withoutParams = [
  'message/send',
  'message/stream',
  'tasks/get',
  'tasks/cancel',
  'tasks/pushNotificationConfig/set',
  'SendMessage',
  'SendStreamingMessage',
  'GetTask',
  'CancelTask',
  'SubscribeToTask',
  'DeleteTaskPushNotificationConfig',
];

const contents: readonly [string, object][] = [
  [
    'a file by its address',
    {
      message: {
        ...slashMessage,
        parts: [{ kind: 'file', file: { uri: 'https://a.example/x.txt', mimeType: 'text/plain' } }],
      },
    },
  ],
  ['an answer as a picture', { message: slashMessage, configuration: { acceptedOutputModes: ['image/png'] } }],
];

export const malformed = (bodyLimit: number): readonly Malformed[] => [
  ...notJson.map((body, i) => row(`bytes ${i}: ${body.toString().slice(0, 25)}`, -32700, body, null)),
  ...notARequest,
  ...unknownMethods.map((method) => row(`method ${json(method).slice(0, 40)}`, -32601, request({ method }))),
  ...versions.flatMap((version) => [
    row(`A2A-Version ${version}`, -32009, request({}), 7, { headers: { 'a2a-version': version } }),
    row(`?A2A-Version=${version}`, -32009, request({ method: 'GetTask' }), 7, {
      query: `?A2A-Version=${encodeURIComponent(version)}`,
    }),
  ]),
  ...withoutParams.flatMap((method) =>
    [undefined, null, [], 'not_a_dict', 7, true].map((params) =>
      row(`${method} with params ${json(params)}`, -32602, request({ method, params })),
    ),
  ),
  ...fields.map(([method, what, params]) => row(`${method}: ${what}`, -32602, request({ method, params }))),
  row('params with __proto__', -32602, json(request({})).replace('"message":', '"__proto__":{},"message":')),
  row(
    'params with constructor.prototype',
    -32602,
    request({ params: { message: { ...slashMessage, metadata: { constructor: { prototype: {} } } } } }),
  ),
  row('Last-Event-ID that is no number', -32602, request({ method: 'SubscribeToTask', params: { id: 'run_1' } }), 7, {
    headers: { 'last-event-id': 'abc' },
  }),
  ...['-1', '1.5', '1e3', '99999999999999999999'].map((id) =>
    row(`Last-Event-ID ${id}`, -32602, request({ method: 'SubscribeToTask', params: { id: 'run_1' } }), 7, {
      headers: { 'last-event-id': id },
    }),
  ),
  ...contents.map(([what, params]) => row(what, -32005, request({ params }))),
  ...[
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'application/json; charset=utf-16',
    'json',
    '*/*',
  ].map((type) => row(`Content-Type ${type}`, -32005, request({}), null, { headers: { 'content-type': type } })),
  row('a compressed body', -32005, request({}), null, { headers: { 'content-encoding': 'gzip' } }),
  row('a body that is too long', -32600, request({ params: { pad: 'x'.repeat(bodyLimit) } }), null),
];
