/**
 * Signed pagination cursors. A cursor holds the position at which a page ended, signed together with the list that it
 * belongs to. It is opaque to clients, and refused if it was changed or belongs to another workspace, list, filter or
 * order. Cursors are stateless, so they survive a restart and any process can read them.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { invalid } from '../../src/domain/errors.js';
import type { Position } from '../../src/store/port.js';

const macBytes = 16;
const maxLength = 2048;

export interface Cursors {
  /** `binding` names everything that the position depends on. */
  sign(position: Position, binding: string): string;
  /** Throws VALIDATION_ERROR for anything that `sign` did not make for this binding. */
  read(cursor: string, binding: string): Position;
}

export function createCursors(secret: Uint8Array): Cursors {
  if (secret.length < 16) throw new RangeError('the cursor secret must have at least 16 bytes');
  const mac = (payload: string, binding: string): Buffer =>
    createHmac('sha256', secret).update(`${payload.length}:${payload}${binding}`).digest().subarray(0, macBytes);
  return {
    sign(position, binding) {
      const payload = Buffer.from(JSON.stringify(position)).toString('base64url');
      return `${payload}.${mac(payload, binding).toString('base64url')}`;
    },
    read(cursor, binding) {
      const dot = cursor.indexOf('.');
      if (dot > 0 && cursor.length <= maxLength) {
        const payload = cursor.slice(0, dot);
        const signature = cursor.slice(dot + 1);
        const expected = mac(payload, binding);
        const given = Buffer.from(signature, 'base64url');
        if (
          given.length === macBytes &&
          given.toString('base64url') === signature &&
          timingSafeEqual(given, expected)
        ) {
          return JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as Position;
        }
      }
      throw invalid({ path: 'cursor', message: 'must be the next_cursor of a page of this same list' });
    },
  };
}
