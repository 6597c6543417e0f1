/**
 * The code of a sign-in link, in a file of the data folder: a start or a command issues it, the server redeems it. The
 * file holds a hash of the code, and when it was issued.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RandomBytes } from '../../src/secrets/api-keys.js';
import type { Clock } from '../../src/domain/shared/clock.js';

export const codeSeconds = 60;
export const signedInHours = 12;

export interface SignInCodes {
  /** Returns a new code, which replaces the one before. Throws if the data folder cannot be written. */
  issue(): string;
  /** Uses the code up: true for the first who asks within 60 seconds. */
  take(code: string): boolean;
  /** Makes a code that was taken usable again, for what is left of its time. */
  giveBack(): void;
}

const digest = (code: string): Buffer => createHash('sha256').update(code).digest();

export function signInCodes(dataDir: string, clock: Pick<Clock, 'now'>, randomBytes: RandomBytes): SignInCodes {
  const file = join(dataDir, 'sign-in-code');
  let taken: string | null = null;
  const write = (text: string): void => {
    mkdirSync(dataDir, { recursive: true });
    writeFileSync(file, text, { mode: 0o600 });
  };
  return {
    issue() {
      const code = Buffer.from(randomBytes(16)).toString('base64url');
      write(`${clock.now()} ${digest(code).toString('hex')}\n`);
      return code;
    },
    take(code) {
      let text: string;
      try {
        text = readFileSync(file, 'utf8');
      } catch {
        return false; // there is none
      }
      const [, issued = '', hash = ''] = /^(\d+) ([0-9a-f]{64})\n$/.exec(text) ?? [];
      const age = clock.now() - Number(issued);
      // a clock that was set back says nothing about the age of what was issued before
      if (hash === '' || age < 0 || age >= codeSeconds * 1000) return false;
      if (!timingSafeEqual(Buffer.from(hash, 'hex'), digest(code))) return false;
      try {
        unlinkSync(file); // of two who ask at once, one removes it
      } catch {
        return false;
      }
      taken = text;
      return true;
    },
    giveBack() {
      if (taken !== null) write(taken);
    },
  };
}
