/** The codec of the PascalCase methods: A2A 1.0. */
import type { z } from 'zod';
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
  setPushParams,
} from './requests.js';
import { camelCased } from './spelling.js';
import { protoWriter, writePushConfig } from './write.js';

const read = <T>(schema: z.ZodType<T>, params: unknown): T => readParams(schema, camelCased(params));

export const protoCodec: Codec = {
  version: '1.0',

  readSend: (params) => readSend(read(sendParams, params)),
  readGet: (params) => {
    const { id, historyLength } = read(getParams, params);
    return typeof historyLength === 'number' ? { id, historyLength } : { id };
  },
  readId: (params) => read(idParams, params).id,
  readList: (params) => readList(read(listParams, params === undefined ? {} : params)),
  readSetPush: (params) => readSetPush(read(setPushParams, params)),
  readPush: (params) => read(configParams, params),
  readListPush: (params) => readListPush(read(listPushParams, params)),

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
