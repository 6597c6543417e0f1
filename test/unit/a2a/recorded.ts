/**
 * What the official JavaScript clients (@a2a-js/sdk 0.2.5, 0.3.14 and 1.3.0) write, recorded from their requests to a
 * server that only listened: method and params as they came.
 */
export interface Recorded {
  readonly method: string;
  readonly params: unknown;
}

/** @a2a-js/sdk 0.2.5 */
export const recorded02: readonly Recorded[] = [
  {
    method: 'message/send',
    params: {
      message: {
        kind: 'message',
        role: 'user',
        messageId: 'm1',
        parts: [
          { kind: 'text', text: 'hi' },
          { kind: 'file', file: { name: 'a.txt', mimeType: 'text/plain', bytes: 'aGk=' } },
          { kind: 'file', file: { uri: 'https://x/y' } },
          { kind: 'data', data: { a: 1 }, metadata: { k: 1 } },
        ],
        taskId: 't',
        contextId: 'c',
        metadata: { k: 'v' },
        extensions: ['e'],
        referenceTaskIds: ['r'],
      },
      configuration: {
        acceptedOutputModes: ['text/plain'],
        blocking: false,
        historyLength: 2,
        pushNotificationConfig: {
          id: 'p',
          url: 'https://h/',
          token: 'tok',
          authentication: { schemes: ['Bearer'], credentials: 'c' },
        },
      },
    },
  },
  { method: 'tasks/get', params: { id: 't', historyLength: 1 } },
  {
    method: 'message/stream',
    params: {
      message: {
        kind: 'message',
        role: 'user',
        messageId: 'm1',
        parts: [
          { kind: 'text', text: 'hi' },
          { kind: 'file', file: { name: 'a.txt', mimeType: 'text/plain', bytes: 'aGk=' } },
          { kind: 'file', file: { uri: 'https://x/y' } },
          { kind: 'data', data: { a: 1 }, metadata: { k: 1 } },
        ],
        taskId: 't',
        contextId: 'c',
        metadata: { k: 'v' },
        extensions: ['e'],
        referenceTaskIds: ['r'],
      },
      configuration: {
        acceptedOutputModes: ['text/plain'],
        blocking: false,
        historyLength: 2,
        pushNotificationConfig: {
          id: 'p',
          url: 'https://h/',
          token: 'tok',
          authentication: { schemes: ['Bearer'], credentials: 'c' },
        },
      },
    },
  },
  { method: 'tasks/cancel', params: { id: 't' } },
  {
    method: 'tasks/pushNotificationConfig/set',
    params: { taskId: 't', pushNotificationConfig: { url: 'https://h/', token: 'k' } },
  },
  { method: 'tasks/resubscribe', params: { id: 't' } },
  { method: 'tasks/pushNotificationConfig/get', params: { id: 't' } },
];

/** @a2a-js/sdk 0.3.14 */
export const recorded03: readonly Recorded[] = [
  {
    method: 'message/send',
    params: {
      message: {
        kind: 'message',
        role: 'user',
        messageId: 'm1',
        parts: [
          { kind: 'text', text: 'hi' },
          { kind: 'file', file: { name: 'a.txt', mimeType: 'text/plain', bytes: 'aGk=' } },
          { kind: 'file', file: { uri: 'https://x/y' } },
          { kind: 'data', data: { a: 1 }, metadata: { k: 1 } },
        ],
        taskId: 't',
        contextId: 'c',
        metadata: { k: 'v' },
        extensions: ['e'],
        referenceTaskIds: ['r'],
      },
      configuration: {
        acceptedOutputModes: ['text/plain'],
        blocking: false,
        historyLength: 2,
        pushNotificationConfig: {
          id: 'p',
          url: 'https://h/',
          token: 'tok',
          authentication: { schemes: ['Bearer'], credentials: 'c' },
        },
      },
    },
  },
  { method: 'tasks/get', params: { id: 't', historyLength: 1 } },
  { method: 'tasks/cancel', params: { id: 't' } },
  {
    method: 'tasks/pushNotificationConfig/set',
    params: { taskId: 't', pushNotificationConfig: { url: 'https://h/', token: 'k' } },
  },
  { method: 'tasks/pushNotificationConfig/get', params: { id: 't', pushNotificationConfigId: 'p' } },
  { method: 'tasks/pushNotificationConfig/list', params: { id: 't' } },
  {
    method: 'message/stream',
    params: {
      message: {
        kind: 'message',
        role: 'user',
        messageId: 'm1',
        parts: [
          { kind: 'text', text: 'hi' },
          { kind: 'file', file: { name: 'a.txt', mimeType: 'text/plain', bytes: 'aGk=' } },
          { kind: 'file', file: { uri: 'https://x/y' } },
          { kind: 'data', data: { a: 1 }, metadata: { k: 1 } },
        ],
        taskId: 't',
        contextId: 'c',
        metadata: { k: 'v' },
        extensions: ['e'],
        referenceTaskIds: ['r'],
      },
      configuration: {
        acceptedOutputModes: ['text/plain'],
        blocking: false,
        historyLength: 2,
        pushNotificationConfig: {
          id: 'p',
          url: 'https://h/',
          token: 'tok',
          authentication: { schemes: ['Bearer'], credentials: 'c' },
        },
      },
    },
  },
  { method: 'tasks/pushNotificationConfig/delete', params: { id: 't', pushNotificationConfigId: 'p' } },
  { method: 'tasks/resubscribe', params: { id: 't' } },
];

/** @a2a-js/sdk 1.3.0 */
export const recorded10: readonly Recorded[] = [
  {
    method: 'SendMessage',
    params: {
      message: {
        messageId: 'm1',
        role: 'ROLE_USER',
        parts: [
          { text: 'hi' },
          { raw: 'aGk=', filename: 'a.txt', mediaType: 'text/plain' },
          { url: 'https://x/y' },
          { data: { a: 1 }, metadata: { k: 1 }, mediaType: 'application/json' },
        ],
        metadata: { k: 'v' },
        referenceTaskIds: ['r'],
      },
      configuration: {
        acceptedOutputModes: ['text/plain'],
        taskPushNotificationConfig: {
          id: 'p',
          url: 'https://h/',
          token: 'tok',
          authentication: { scheme: 'Bearer', credentials: 'c' },
        },
        historyLength: 2,
        returnImmediately: true,
      },
    },
  },
  { method: 'GetTask', params: { id: 't', historyLength: 0 } },
  { method: 'CancelTask', params: { id: 't' } },
  { method: 'CreateTaskPushNotificationConfig', params: { taskId: 't', url: 'https://h/', token: 'k' } },
  { method: 'GetTaskPushNotificationConfig', params: { taskId: 't', id: 'p' } },
  { method: 'ListTaskPushNotificationConfigs', params: { taskId: 't' } },
  { method: 'DeleteTaskPushNotificationConfig', params: { taskId: 't', id: 'p' } },
  {
    method: 'ListTasks',
    params: {
      contextId: 'c',
      status: 'TASK_STATE_WORKING',
      pageSize: 10,
      historyLength: 1,
      statusTimestampAfter: '2026-01-01T00:00:00.000Z',
      includeArtifacts: true,
    },
  },
  { method: 'ListTasks', params: {} },
  { method: 'GetExtendedAgentCard', params: {} },
  {
    method: 'SendStreamingMessage',
    params: {
      message: {
        messageId: 'm1',
        role: 'ROLE_USER',
        parts: [
          { text: 'hi' },
          { raw: 'aGk=', filename: 'a.txt', mediaType: 'text/plain' },
          { url: 'https://x/y' },
          { data: { a: 1 }, metadata: { k: 1 }, mediaType: 'application/json' },
        ],
        metadata: { k: 'v' },
        referenceTaskIds: ['r'],
      },
    },
  },
  { method: 'SubscribeToTask', params: { id: 't' } },
];
