/** identity.ts. */
import { expect } from 'chai';
import { compareClocks } from '../../../src/base/clock-skew.js';
import { ClusterMistake, createIdentity, protocolVersion, type IdentityDeps } from '../../../src/cluster/identity.js';
import type { ProcessNote } from '../../../src/store/port.js';
import { ManualClock, settle } from '../bus/support.js';

const other = (redis: string): ProcessNote => ({
  instance: 'other',
  redis,
  host: 'box-2',
  leaseMs: 1000,
  protocol: protocolVersion,
});

function setUp(live: () => ProcessNote[], table = 'one') {
  const clock = new ManualClock();
  const noted: ProcessNote[] = [];
  const failures: unknown[] = [];
  let looks = 0;
  const notes: IdentityDeps['notes'] = {
    noteProcess: async (note) => {
      noted.push(note);
    },
    liveProcesses: async () => {
      looks++;
      return live();
    },
    forgetProcess: async (instance) => {
      noted.splice(0, noted.length, ...noted.filter((note) => note.instance !== instance));
    },
  };
  const identity = createIdentity({
    self: 'me',
    host: 'box-1',
    leaseMs: 1000,
    notes,
    table: async () => table,
    clock,
    failed: (error) => {
      failures.push(error);
    },
  });
  return { clock, identity, noted, notes, failures, looks: () => looks };
}

/** Why a process does not start beside a live one of which this is known. */
async function refusal(note: Partial<ProcessNote>): Promise<unknown> {
  const { identity, clock } = setUp(() => [{ ...other('one'), ...note }]);
  const checked = identity.check().then(
    () => null,
    (error: unknown) => error,
  );
  await settle();
  await clock.advance(2000);
  return checked;
}

describe('identity of a cluster', () => {
  it('starts where nobody lives, or all are in this Redis', async () => {
    await setUp(() => []).identity.check();
    const { identity, looks } = setUp(() => [other('one'), { ...other('elsewhere'), instance: 'me' }]);
    await identity.check();
    expect(looks()).to.equal(1);
  });

  it('refuses where a live process is in another Redis, in a sentence that says what to do', async () => {
    const { identity, clock } = setUp(() => [other('two')]);
    const checked = identity.check().then(
      () => null,
      (error: unknown) => error,
    );
    await settle();
    await clock.advance(2000);
    const error = await checked;
    expect(error).to.be.instanceOf(ClusterMistake);
    expect((error as Error).message).to.equal(
      'The database is in use by a process on box-2 over another Redis, which would be two clusters on one database: give all processes the same HIVEKEEP_REDIS_URL, or this cluster a database of its own in HIVEKEEP_MONGODB_URL.',
    );
  });

  it('waits for live processes to see that their Redis was emptied', async () => {
    let name = 'before';
    const { identity, clock, looks } = setUp(() => [other(name)]);
    let started = false;
    identity.check().then(
      () => {
        started = true;
      },
      () => undefined,
    );
    await settle();
    await clock.advance(600);
    expect(started).to.equal(false);
    name = 'one';
    await clock.advance(300);
    expect([started, looks()]).to.deep.equal([true, 4]);
  });

  it('refuses where a live process has another lease time', async () => {
    expect(await refusal({ leaseMs: 5000 }))
      .to.be.instanceOf(ClusterMistake)
      .with.property(
        'message',
        'A process of this cluster on box-2 has HIVEKEEP_LEASE_SECONDS=5, and this one 1: give all processes the same; to change it, stop all of them first.',
      );
  });

  it('refuses where a live process speaks another protocol', async () => {
    expect(await refusal({ protocol: 99 }))
      .to.be.instanceOf(ClusterMistake)
      .with.property(
        'message',
        `A process of this cluster on box-2 is of another version of hivekeep, which does not work side by side with this one (its protocol is 99, ours ${protocolVersion}): stop all processes of that version first.`,
      );
  });

  it('notes each beat, one at a time; a note that fails is told, and forgotten ones are gone', async () => {
    const { identity, noted, notes, failures } = setUp(() => []);
    identity.noted('one');
    identity.noted('one');
    await identity.forget();
    expect(noted).to.deep.equal([]);
    notes.noteProcess = async () => {
      throw new Error('away');
    };
    identity.noted('one');
    await identity.forget();
    expect(failures).to.have.length(1);
  });

  it('knows whether others may hold shards', async () => {
    expect(await setUp(() => [{ ...other('one'), instance: 'me' }]).identity.mayBeHeld()).to.equal(false);
    expect(await setUp(() => [other('one')]).identity.mayBeHeld()).to.equal(true);
  });

  it('I3: two seconds are a warning, a minute is too much, and both times are named', async () => {
    const ours = Date.parse('2026-03-01T12:00:00Z');
    const found = (theirs: number) =>
      compareClocks(
        'MongoDB',
        async () => theirs,
        () => ours,
      );
    expect((await found(ours + 2000)).level).to.equal('ok');
    expect((await found(ours - 2001)).level).to.equal('warn');
    expect((await found(ours - 60_000)).level).to.equal('warn');
    expect(await found(ours + 300_000)).to.deep.equal({
      level: 'fail',
      text: "The clock of MongoDB says 2026-03-01T12:05:00.000Z and this machine's 2026-03-01T12:00:00.000Z: keep both right with NTP.",
    });
  });

  it('I3: what the answer takes on its way is no difference of the clocks', async () => {
    let now = 1_000_000;
    const answered = (theirs: number) =>
      compareClocks(
        'Redis',
        async () => {
          now += 10_000;
          return theirs;
        },
        () => now,
      );
    expect((await answered(1_004_000)).level).to.equal('ok');
    expect((await answered(now - 3000)).level).to.equal('warn');
    expect((await answered(now + 13_000)).level).to.equal('warn');
    expect((await answered(now + 11_000)).level).to.equal('ok');
  });
});
