/** A clock that moves when told, and ids that say what they are and in which order they were made. */
import type { Env } from '../../../../src/domain/shared/draft.js';
import { remarkOf } from '../../../../src/english/sentences.js';
import { encodeTime, idPrefixes } from '../../../../src/domain/shared/ids.js';

/** 2026-03-15T12:00:00.000Z, in the middle of a month. */
export const noon = Date.UTC(2026, 2, 15, 12);

export class TestEnv implements Env {
  now = noon;
  private made = 0;
  readonly defaults = { maxSteps: 10, maxRuntimeSeconds: 300, messageBudget: 1000 };
  readonly remarkOf = remarkOf;
  readonly ids: Env['ids'] = (kind, at) =>
    `${idPrefixes[kind]}_${encodeTime(at)}${String(++this.made).padStart(16, '0')}`;
}
