/** What ends with its credential (auth/credential-watch.ts). */
import { expect } from 'chai';
import { CredentialWatch } from '../../../gateway/auth/credential-watch.js';
import type { Principal } from '../../../src/service.js';
import { keyPrincipal, tokenPrincipal } from '../../helpers/fake-service.js';
import { ManualClock, settle } from '../bus/support.js';

const key = (id: string): Principal => ({ ...keyPrincipal(), credentialId: id });
const token = (id: string, agent: string): Principal => ({ ...tokenPrincipal(agent), credentialId: id });

function given(stillValid: (principal: Principal) => boolean | Promise<boolean>) {
  const clock = new ManualClock();
  const asked: string[] = [];
  const ended: string[] = [];
  const watch = new CredentialWatch(
    {
      stillValid: (p) => {
        asked.push(p.credentialId);
        return stillValid(p);
      },
    },
    clock,
    1000,
  );
  const open = (principal: Principal, name = principal.credentialId): (() => void) =>
    watch.watch(principal, () => {
      ended.push(name);
    });
  return { clock, asked, ended, watch, open };
}

describe('credential watch', () => {
  it('asks every second, and ends what is open when the credential has ended', async () => {
    let valid = true;
    const { clock, asked, ended, watch, open } = given(() => valid);
    open(key('a'));
    await clock.advance(999);
    expect(asked).to.deep.equal([]);
    await clock.advance(1);
    await clock.advance(1000);
    expect([asked, ended]).to.deep.equal([['a', 'a'], []]);
    valid = false;
    await clock.advance(1000);
    expect(ended).to.deep.equal(['a']);
    await clock.advance(10_000);
    expect([asked.length, watch.size]).to.deep.equal([3, 0]);
  });

  it("asks at once about what was revoked here, by its id or its agent's, and about nothing else", async () => {
    const gone = new Set<string>();
    const { asked, ended, watch, open } = given((p) => !gone.has(p.credentialId));
    for (const principal of [key('a'), key('b'), token('t', 'agent_1'), token('u', 'agent_2')]) open(principal);
    gone.add('a');
    watch.revoked('a');
    gone.add('t');
    watch.revoked('agent_1');
    expect([asked, ended]).to.deep.equal([
      ['a', 't'],
      ['a', 't'],
    ]);
    watch.revoked('b');
    expect([ended, watch.size], 'a revocation that was not: it is asked, not believed').to.deep.equal([['a', 't'], 2]);
  });

  it('one question for each credential, however many streams; the same id in two workspaces is two', async () => {
    const { clock, asked, ended, open } = given(() => false);
    for (let i = 0; i < 1000; i++) open(key('a'));
    open({ ...key('a'), workspace: 'ws_other' });
    await clock.advance(1000);
    expect([asked, ended.length]).to.deep.equal([['a', 'a'], 1001]);
  });

  it('what has ended is not kept, and not ended again', async () => {
    const { clock, asked, ended, watch, open } = given(() => false);
    const [first, second] = [open(key('a'), 'first'), open(key('a'), 'second')];
    first();
    first();
    await clock.advance(1000);
    expect([ended, watch.size]).to.deep.equal([['second'], 0]);
    second();
    const third = open(key('a'), 'third');
    second(); // of a stream before it, must not let go of this one
    expect(watch.size).to.equal(1);
    third();
    await clock.advance(5000);
    expect([asked.length, watch.size]).to.deep.equal([1, 0]);
  });

  it('where the service fails, nothing ends and it is asked again; it may take its time', async () => {
    let answer: () => boolean | Promise<boolean> = () => {
      throw new Error('down');
    };
    const { clock, asked, ended, watch, open } = given(() => answer());
    open(key('a'));
    await clock.advance(1000);
    answer = () => Promise.reject(new Error('down'));
    await clock.advance(1000);
    await settle();
    expect([asked.length, ended]).to.deep.equal([2, []]);
    answer = () => Promise.resolve(false);
    await clock.advance(1000);
    await settle();
    expect([asked.length, ended, watch.size]).to.deep.equal([3, ['a'], 0]);
  });

  it('an answer that comes when the stream has left changes nothing', async () => {
    let resolve = (_: boolean): void => undefined;
    const { clock, ended, watch, open } = given(
      () =>
        new Promise((r) => {
          resolve = r;
        }),
    );
    const leave = open(key('a'));
    await clock.advance(1000);
    leave();
    resolve(true);
    await settle();
    await clock.advance(5000);
    expect([ended, watch.size]).to.deep.equal([[], 0]);
  });
});
