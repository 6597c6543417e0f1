/**
 * Selects the codec of a request: by the dialect of its method, and between 0.2 and 0.3 by the A2A-Version header (or
 * query parameter). The header is Major.Minor; a patch number is ignored (A2A 1.0, 3.6).
 */
import { a2aVersions, type A2AVersion } from '../domain/task/task.js';
import type { Codec } from './codec.js';
import type { MethodDialect } from './methods.js';
import { protoCodec } from './v1.js';
import { slashCodecs } from './v0.js';
import { RpcError } from './rpc.js';

/** Absent or empty means 0.3 (A2A 1.0, 3.6.2). Throws VERSION_NOT_SUPPORTED (-32009). */
export function readVersion(value: string | undefined): A2AVersion {
  const text = value?.trim() ?? '';
  if (text === '') return '0.3';
  const version = a2aVersions.find(
    (v) => text === v || (text.startsWith(`${v}.`) && /^\d{1,9}$/.test(text.slice(v.length + 1))),
  );
  if (version === undefined) throw new RpcError('VERSION_NOT_SUPPORTED', `this agent speaks ${a2aVersions.join(', ')}`);
  return version;
}

/** 0.2 and 0.3 share one wire format; they differ in the version with which a push configuration is registered. */
export const codecFor = (dialect: MethodDialect, version: A2AVersion): Codec =>
  dialect === 'pascal' ? protoCodec : version === '0.2' ? slashCodecs['0.2'] : slashCodecs['0.3'];
