/** Selects the codec of a request: by the dialect of its method, and by the A2A-Version header between 0.2 and 0.3. */
import type { A2AVersion } from '../domain/task.js';
import type { Codec } from './codec.js';
import type { Dialect } from './methods.js';
import { protoCodec } from './v1/codec.js';
import { slashCodecs } from './v0/codec.js';

/** 0.2 and 0.3 share one wire format; they differ in the version with which a push configuration is registered. */
export const codecFor = (dialect: Dialect, version: A2AVersion): Codec =>
  dialect === 'pascal' ? protoCodec : version === '0.2' ? slashCodecs['0.2'] : slashCodecs['0.3'];
