import { expect } from 'chai';
import { bearerOf, credentialIn, createAuthenticator, type Authenticator } from '../../../gateway/auth/bearer.js';
import type { Clock } from '../../../src/domain/shared/clock.js';
import type { Principal } from '../../../src/service.js';
import { hashOf, keyPrincipal } from '../../helpers/fake-service.js';

const noAccess = { admit: () => null };

describe('authenticator', () => {
  let now: number;
  let asked: string[];
  let answer: Principal | null;
  let auth: Authenticator;
  const clock: Clock = { now: () => now, after: () => () => undefined };
  const principal = keyPrincipal();
  beforeEach(() => {
    now = 0;
    asked = [];
    answer = principal;
    auth = createAuthenticator(
      {
        ...noAccess,
        authenticate: (hash) => {
          asked.push(hash);
          return answer;
        },
      },
      clock,
      2000,
    );
  });

  it('asks by SHA-256 in hex, never by the credential', () => {
    void auth.fromHeaders({ authorization: 'Bearer svc_live_x' });
    expect(asked).to.deep.equal([hashOf('svc_live_x')]);
  });

  it('uses an answer for its time and not longer, without a promise', () => {
    expect(auth.fromHeaders({ authorization: 'Bearer a' })).to.equal(principal);
    now = 1999;
    expect(auth.fromHeaders({ authorization: 'Bearer a' })).to.equal(principal);
    expect(asked).to.have.length(1);
    now = 2000;
    answer = null;
    expect(auth.fromHeaders({ authorization: 'Bearer a' })).to.equal(null);
  });

  it('asks anew when the clock was set back: the key may have been revoked elsewhere', () => {
    now = 3_600_000;
    expect(auth.fromHeaders({ authorization: 'Bearer a' })).to.equal(principal);
    answer = null;
    now = 0;
    expect(auth.fromHeaders({ authorization: 'Bearer a' })).to.equal(null);
  });

  it('never keeps a refusal', () => {
    answer = null;
    expect(auth.fromCredential('a')).to.equal(null);
    answer = principal;
    expect(auth.fromCredential('a')).to.equal(principal);
  });

  it('asks once for all who come with a credential while it is looked up, and not for those after a revocation', async () => {
    let asks = 0;
    const slow = createAuthenticator(
      { ...noAccess, authenticate: () => Promise.resolve(++asks).then(() => principal) },
      clock,
      2000,
    );
    const first = [slow.fromHeaders({ authorization: 'Bearer a' }), slow.fromHeaders({ authorization: 'Bearer a' })];
    slow.forget();
    const second = slow.fromHeaders({ authorization: 'Bearer a' });
    expect(asks).to.equal(2);
    expect(await Promise.all([...first, second])).to.deep.equal([principal, principal, principal]);
  });

  it('forgets what it knew, and what was on its way', async () => {
    let resolve = (_: Principal): void => undefined;
    let calls = 0;
    const slow = createAuthenticator(
      {
        ...noAccess,
        authenticate: () => {
          calls++;
          return new Promise<Principal>((r) => {
            resolve = r;
          });
        },
      },
      clock,
      2000,
    );
    const waiting = slow.fromCredential('a');
    slow.forget();
    resolve(principal);
    expect(await waiting).to.equal(principal);
    void slow.fromCredential('a');
    expect(calls).to.equal(2);
    void auth.fromCredential('a');
    auth.forget();
    void auth.fromCredential('a');
    expect(asked).to.have.length(2);
  });

  it('keeps a bounded number, the newest', () => {
    for (let i = 0; i <= 10_000; i++) void auth.fromCredential(`k${i}`);
    expect(asked).to.have.length(10_001);
    void auth.fromCredential('k10000');
    void auth.fromCredential('k1');
    expect(asked).to.have.length(10_001);
    void auth.fromCredential('k0');
    expect(asked).to.have.length(10_002);
  });

  it('keeps nothing when the service fails', async () => {
    let fails = true;
    const flaky = createAuthenticator(
      {
        ...noAccess,
        authenticate: async () => {
          if (fails) throw new Error('away');
          return principal;
        },
      },
      clock,
      2000,
    );
    let failed: unknown;
    await Promise.resolve(flaky.fromCredential('a')).catch((error: unknown) => {
      failed = error;
    });
    expect(failed).to.be.instanceOf(Error);
    fails = false;
    expect(await flaky.fromCredential('a')).to.equal(principal);
  });

  it('does not hash what is too long for a credential', () => {
    expect(auth.fromCredential('x'.repeat(513))).to.equal(null);
    expect(asked).to.deep.equal([]);
  });

  it('reads a key in X-API-Key where there is no Authorization', () => {
    expect(
      [{ 'x-api-key': 'svc_a' }, { 'x-api-key': 'a b' }, { authorization: 'Basic a', 'x-api-key': 'b' }, {}].map(
        credentialIn,
      ),
    ).to.deep.equal(['svc_a', null, null, null]);
  });

  it('reads the Bearer scheme only', () => {
    expect(
      ['Bearer a', 'bearer  a', 'BEARER a ', 'Basic a', 'Bearera', 'Bearer', 'Bearer a b', 'Bearer \u00e9'].map(
        bearerOf,
      ),
    ).to.deep.equal(['a', 'a', 'a', null, null, null, null, null]);
  });
});
