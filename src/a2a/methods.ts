/**
 * The method names of all generations. The name determines the dialect: PascalCase is 1.0, `x/y` is 0.2 or 0.3 (A2A
 * 1.0, 9.4).
 */
export type A2aOperation =
  | 'send'
  | 'stream'
  | 'get'
  | 'list'
  | 'cancel'
  | 'subscribe'
  | 'setPush'
  | 'getPush'
  | 'listPush'
  | 'deletePush'
  | 'card';
export type MethodDialect = 'slash' | 'pascal';
export interface A2aMethod {
  operation: A2aOperation;
  dialect: MethodDialect;
}

const slash = (operation: A2aOperation): A2aMethod => ({ operation, dialect: 'slash' });
const pascal = (operation: A2aOperation): A2aMethod => ({ operation, dialect: 'pascal' });

/** A Map rather than an object, so that a method called `constructor` is unknown. */
export const methods: ReadonlyMap<string, A2aMethod> = new Map([
  ['message/send', slash('send')],
  ['message/stream', slash('stream')],
  ['tasks/get', slash('get')],
  ['tasks/cancel', slash('cancel')],
  ['tasks/resubscribe', slash('subscribe')],
  ['tasks/pushNotificationConfig/set', slash('setPush')],
  ['tasks/pushNotificationConfig/get', slash('getPush')],
  ['tasks/pushNotificationConfig/list', slash('listPush')],
  ['tasks/pushNotificationConfig/delete', slash('deletePush')],
  ['agent/getAuthenticatedExtendedCard', slash('card')],
  ['SendMessage', pascal('send')],
  ['SendStreamingMessage', pascal('stream')],
  ['GetTask', pascal('get')],
  ['ListTasks', pascal('list')],
  ['CancelTask', pascal('cancel')],
  ['SubscribeToTask', pascal('subscribe')],
  ['CreateTaskPushNotificationConfig', pascal('setPush')],
  ['GetTaskPushNotificationConfig', pascal('getPush')],
  ['ListTaskPushNotificationConfigs', pascal('listPush')],
  ['DeleteTaskPushNotificationConfig', pascal('deletePush')],
  ['GetExtendedAgentCard', pascal('card')],
]);
