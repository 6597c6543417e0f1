/** The codec of the PascalCase methods: A2A 1.0. */
import { conversationOf } from '../../domain/task.js';
import type { Codec } from '../codec.js';
import { readParams } from '../fields.js';
import {
  configParams,
  getParams,
  idParams,
  listParams,
  listPushParams,
  readList,
  readListPush,
  readSend,
  readSetPush,
  sendParams,
  sendShape,
  setPushParams,
  setPushShape,
} from './requests.js';
import { camelCased } from './spelling.js';
import { protoWriter, writePushConfig } from './write.js';

export const protoCodec: Codec = {
  version: '1.0',

  readSend: (params) => readSend(readParams(sendParams, camelCased(params, sendShape))),
  readGet: (params) => {
    const { id, historyLength } = readParams(getParams, camelCased(params, {}));
    return typeof historyLength === 'number' ? { id, historyLength } : { id };
  },
  readCancel: (params) => ({ id: readParams(idParams, params).id }),
  readSubscribe: (params) => ({ id: readParams(idParams, params).id }),
  readList: (params) => readList(readParams(listParams, camelCased(params === undefined ? {} : params, {}))),
  readSetPush: (params) => readSetPush(readParams(setPushParams, camelCased(params, setPushShape))),
  readGetPush: (params) => readParams(configParams, camelCased(params, {})),
  readListPush: (params) => readListPush(readParams(listPushParams, camelCased(params, {}))),
  readDeletePush: (params) => readParams(configParams, camelCased(params, {})),

  contextOf: conversationOf,
  task: protoWriter.task,
  sendResult: (task, options) => ({ task: protoWriter.task(task, options) }),
  streamTask: (task, options) => ({ task: protoWriter.task(task, options) }),
  frame: protoWriter.frame,
  aged: protoWriter.aged,
  listResult: protoWriter.list,
  pushConfig: writePushConfig,
  pushList: (taskId, configs, nextPageToken) => ({
    configs: configs.map((config) => writePushConfig(taskId, config)),
    nextPageToken,
  }),
  pushDeleted: {},
};
