/**
 * The codec of the `x/y` methods. 0.2 and 0.3 share one wire format; a push configuration keeps the version with which
 * it was registered.
 */
import { contextOf } from '../../domain/task.js';
import type { Codec } from '../codec.js';
import { readParams } from '../fields.js';
import { RpcError } from '../rpc.js';
import { configParams, getParams, idParams, readSend, readSetPush, sendParams, setPushParams } from './requests.js';
import { slashWriter, writePushConfig } from './write.js';

const slashCodec = (version: '0.2' | '0.3'): Codec => ({
  version,

  readSend: (params) => readSend(readParams(sendParams, params), version),
  readGet: (params) => {
    const { id, historyLength } = readParams(getParams, params);
    return typeof historyLength === 'number' ? { id, historyLength } : { id };
  },
  readId: (params) => readParams(idParams, params).id,
  readList: () => {
    throw new RpcError('METHOD_NOT_FOUND', 'tasks are listed by ListTasks, with A2A 1.0');
  },
  readSetPush: (params) => readSetPush(readParams(setPushParams, params), version),
  readPush: (params) => {
    const { id: taskId, pushNotificationConfigId: id } = readParams(configParams, withId(params));
    return id ? { taskId, id } : { taskId };
  },
  readListPush: (params) => ({ taskId: readParams(idParams, withId(params)).id }),

  contextOf,
  task: slashWriter.task,
  sendResult: slashWriter.task,
  streamTask: slashWriter.task,
  frame: slashWriter.frame,
  aged: slashWriter.aged,
  listResult: slashWriter.list,
  pushConfig: writePushConfig,
  pushList: (taskId, configs) => configs.map((config) => writePushConfig(taskId, config)),
  pushDeleted: null,
});

/** Push methods other than `set` call the task `id`. It is also read under the name that `set` and 1.0 have for it. */
function withId(params: unknown): unknown {
  if (typeof params !== 'object' || params === null || 'id' in params || !('taskId' in params)) return params;
  return { ...params, id: params.taskId };
}

export const slashCodecs = { '0.2': slashCodec('0.2'), '0.3': slashCodec('0.3') } as const;
