/** `hivekeep sign-in`: another sign-in link for the console of the server that runs on this data folder. */
import { randomBytes } from 'node:crypto';
import type { Config } from '../../src/config/config.js';
import { Failure } from './failure.js';
import type { Io } from './io.js';
import { codeSeconds, signedInHours, signInCodes } from './sign-in-code.js';

export function signIn(config: Config, io: Io): void {
  if (!isPrivate(config))
    throw new Failure(
      'a sign-in link needs a connection that nobody can read: set HIVEKEEP_TLS_CERT and HIVEKEEP_TLS_KEY as the server has them, or paste a key into the console',
    );
  const code = signInCodes(config.dataDir, { now: Date.now }, randomBytes).issue();
  io.out(signInUrl(config.publicUrl ?? addressOf(config), code));
  io.note(`It signs you in for ${signedInHours} hours, works once, and only in the next ${codeSeconds} seconds.`);
}

/** The code is in the fragment, which browsers send to no server. */
export const signInUrl = (base: string, code: string): string => `${base}/console#code=${code}`;

/** Whether nobody can read what a browser sends to the server: TLS, or an address of this machine alone. */
export const isPrivate = (config: Config): boolean => config.loopback || config.tlsCert !== null;

const addressOf = ({ tlsCert, host, port }: Config): string =>
  `${tlsCert === null ? 'http' : 'https'}://${host.includes(':') ? `[${host}]` : host}:${port}`;
