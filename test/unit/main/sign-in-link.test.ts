/** The one-time code of the console's sign-in link (gateway/main/sign-in-link.ts). */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Admin } from '../../../gateway/admin/admin.js';
import { codeSeconds, signedInHours, signInCodes } from '../../../gateway/cli/sign-in-code.js';
import { redeemSignInLink } from '../../../gateway/main/sign-in-link.js';

type Made = Parameters<Admin['createKey']>;

describe('the sign-in link', () => {
  let now = Date.parse('2026-05-12T10:00:00.000Z');
  let folder: string;
  let made: Made[];
  let link: { issue: () => string; redeem: ReturnType<typeof redeemSignInLink> };
  let failing: Error | null;
  beforeEach(() => {
    made = [];
    failing = null;
    folder = mkdtempSync(join(tmpdir(), 'hivekeep-link-'));
    const clock = { now: () => now };
    const codes = signInCodes(folder, clock, randomBytes);
    const redeem = redeemSignInLink({
      clock,
      codes,
      admin: {
        createKey: async (...args) => {
          if (failing) throw failing;
          made.push(args);
          return { key: { id: 'key_1' } as Awaited<ReturnType<Admin['createKey']>>['key'], secret: 'svc_live_made' };
        },
      },
    });
    // a command that issues a code is another process
    link = { issue: () => signInCodes(folder, clock, randomBytes).issue(), redeem };
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  it('SignInLink.L1: its code works once', async () => {
    const code = link.issue();
    const both = await Promise.all([link.redeem(code, '127.0.0.1'), link.redeem(code, '127.0.0.1')]);
    expect(both.filter((signedIn) => signedIn !== null)).to.have.length(1);
    expect(await link.redeem(code, '127.0.0.1')).to.equal(null);
    expect(made).to.have.length(1);
  });

  it('SignInLink.L1: its code works for 60 seconds, also where the clock is set back', async () => {
    const code = link.issue();
    now += codeSeconds * 1000 - 1;
    const other = link.issue();
    expect(await link.redeem(code, '::1'), 'replaced').to.equal(null);
    now += codeSeconds * 1000;
    expect(await link.redeem(other, '::1')).to.equal(null);
    const last = link.issue();
    now -= 3_600_000;
    expect(await link.redeem(last, '::1')).to.equal(null);
    expect(made).to.deep.equal([]);
  });

  it('SignInLink.L1: other codes do nothing to it', async () => {
    expect(await link.redeem('', '::1'), 'before one is issued').to.equal(null);
    const code = link.issue();
    for (const wrong of ['', code.slice(1), `${code}x`, code.toUpperCase() + code])
      expect(await link.redeem(wrong, '::1')).to.equal(null);
    expect(await link.redeem(code, '::1')).to.include({ key: 'svc_live_made' });
  });

  it('SignInLink.L2: makes one key that expires when the terminal said, and names itself in the audit', async () => {
    const code = link.issue();
    expect(readFileSync(join(folder, 'sign-in-code'), 'utf8')).not.to.include(code);
    expect(made).to.deep.equal([]);
    const expires_at = new Date(now + signedInHours * 3_600_000).toISOString();
    expect(await link.redeem(code, '127.0.0.1')).to.deep.equal({ id: 'key_1', key: 'svc_live_made', expires_at });
    expect(made[0]?.[0]).to.equal('default');
    expect(made[0]?.[1]).to.include({ mode: 'live', expires_at });
    expect(made[0]?.[2]).to.deep.equal({ actor: 'sign-in link', from: '127.0.0.1' });
    expect(made[0]).not.to.deep.include(code);
  });

  it('can be tried again when the key could not be made', async () => {
    const code = link.issue();
    failing = new Error('the store is away');
    const error = await link.redeem(code, '::1').catch((thrown: unknown) => thrown);
    expect(error).to.equal(failing);
    failing = null;
    expect(await link.redeem(code, '::1')).to.include({ id: 'key_1' });
  });
});
