/**
 * The one writer of an entity: actors/entities/entity-writer.ts, each with a store that answers when the test says so.
 */
import { refusedCommit } from '../../../../src/store/port.js';
import { expect } from 'chai';
import { gone, heldWriter, put, settle, write } from './writer-kit.js';

const outcomes = (events: readonly string[]): string[] =>
  events.filter((e) => (e.startsWith('committed ') ? !/ in /.test(e) : e.startsWith('lost')));
const megabyte = 'x'.repeat(1024 * 1024);

describe('Entity writer', () => {
  it('has one commit on its way; what comes meanwhile goes into the next, folded into one', async () => {
    const { writer, sent } = heldWriter(4);
    writer.add(write('a'));
    await settle();
    for (const tag of ['b', 'c', 'd']) {
      writer.add(write(tag, [put(tag)]));
      await settle();
    }
    expect(sent).to.have.length(1);
    await sent[0]!.answer('committed');
    expect(sent).to.have.length(2);
    expect(sent.map((s) => s.commit.seq)).to.deep.equal([5, 6]);
    expect(sent[1]!.commit.puts.map((p) => p.id)).to.deep.equal(['b', 'c', 'd']);
  });

  it('what is decided in one turn is one commit, with the head of the last decision', async () => {
    const { writer, sent } = heldWriter();
    for (const tag of ['a', 'active', 'due']) writer.add(write(tag));
    await settle();
    expect(sent).to.have.length(1);
    expect(sent[0]!.commit).to.deep.include({
      snapshot: { by: 'due' },
      counts: { due: 1 },
      previousCounts: { old: 1 },
      active: false,
      due: 7,
      deleted: false,
      records: [],
    });
  });

  it('the counts that a commit replaces are those of the commit before it', async () => {
    const { writer, sent } = heldWriter();
    writer.add(write('a'));
    await settle();
    writer.add(write('b'));
    await sent[0]!.answer('committed');
    expect(sent[1]!.commit.previousCounts).to.deep.equal({ a: 1 });
  });

  it('commits keep the order of decisions, and tell it so', async () => {
    const { writer, sent, events } = heldWriter();
    const order: string[] = [];
    for (let round = 0; round < 5; round++) {
      for (let i = 0; i <= round; i++) {
        const tag = `${round}.${i}`;
        order.push(tag);
        writer.add(write(tag));
      }
      await settle();
      if (round > 0) await sent[round - 1]!.answer('committed');
    }
    await sent[4]!.answer('committed');
    expect(outcomes(events).flatMap((e) => e.replace('committed ', '').split(','))).to.deep.equal(order);
  });

  it('Writer.E3 nothing is told before the commit that holds it is durable', async () => {
    const { writer, sent, events } = heldWriter();
    writer.add(write('a'));
    await settle();
    writer.add(write('b'));
    await settle();
    expect(outcomes(events)).to.deep.equal([]);
    await sent[0]!.answer('committed');
    expect(outcomes(events)).to.deep.equal(['committed a']);
  });

  it('a commit is at most 4 MiB of documents; the rest goes into the next ones, in order', async () => {
    const { writer, sent, events } = heldWriter();
    for (let i = 0; i < 10; i++) writer.add(write(`m${i}`, [put(`m${i}`, { content: megabyte })]));
    await settle();
    const sizes: number[] = [];
    for (let n = 0; n < 10 && sizes.reduce((a, b) => a + b, 0) < 10; n++) {
      sizes.push(sent[n]!.commit.puts.length);
      await sent[n]!.answer('committed');
    }
    expect(sizes).to.deep.equal([3, 3, 3, 1]); // each is a little more than a MiB
    expect(outcomes(events).join(' ')).to.equal(
      'committed m0,m1,m2 committed m3,m4,m5 committed m6,m7,m8 committed m9',
    );
  });

  it('what counts is bytes as they are stored, idempotency records included', async () => {
    const { writer, sent } = heldWriter();
    const threeBytes = '€'.repeat(500_000); // 1.5 MB of UTF-8
    for (let i = 0; i < 4; i++) writer.add(write(`m${i}`, [put(`m${i}`, { content: threeBytes })]));
    const record = { id: 'c', bodyHash: 'h', result: { text: megabyte + megabyte }, expiresAt: 1 };
    for (let i = 0; i < 3; i++) writer.add({ ...write(`r${i}`), records: [record] });
    await settle();
    for (let n = 0; n < 4; n++) await sent[n]!.answer('committed');
    expect(sent.map(({ commit }) => [commit.puts.length, commit.records.length])).to.deep.equal([
      [2, 0],
      [2, 0],
      [0, 1],
      [0, 1],
      [0, 1],
    ]);
  });

  it('after a refusal for good only the refused decisions are lost; those behind them are handed back as they are', async () => {
    const { writer, sent, events } = heldWriter();
    writer.add(write('too large', [put('x', { content: megabyte.repeat(5) })]));
    writer.add(write('behind', [put('y')]));
    await settle();
    await sent[0]!.fail(refusedCommit(new RangeError('it is too large')));
    expect(outcomes(events)).to.deep.equal([
      'lost too large: A commit cannot be stored: it is too large.; behind: behind',
    ]);
  });

  it('one decision alone may be larger, and is not held back for ever', async () => {
    const { writer, sent } = heldWriter();
    writer.add(write('small', [put('s')]));
    writer.add(
      write(
        'large',
        Array.from({ length: 6 }, (_, i) => put(`l${i}`, { content: megabyte })),
      ),
    );
    await settle();
    await sent[0]!.answer('committed');
    expect(sent.map((s) => s.commit.puts.length)).to.deep.equal([1, 6]);
  });

  it('Writer.E6 while it is held it writes nothing, and then all in one commit', async () => {
    const { writer, sent } = heldWriter();
    const ends = [writer.hold(), writer.hold()];
    writer.add(write('begun', [put('r')]));
    await settle();
    ends[0]!();
    await settle();
    expect(sent).to.have.length(0);
    writer.add(write('ended', [put('r', { done: true }), put('m')]));
    ends[1]!();
    ends[1]!();
    await settle();
    expect(sent.map(({ commit }) => commit.puts)).to.deep.equal([[put('r', { done: true }), put('m')]]);
  });

  it('Writer.E6 a hold that lasts does not keep a commit for ever, and ends without effect', async () => {
    const { writer, sent, time } = heldWriter();
    const end = writer.hold();
    writer.add(write('a'));
    await settle();
    time.pass(49);
    await settle();
    expect(sent).to.have.length(0);
    time.pass(1);
    await settle();
    expect(sent).to.have.length(1);
    writer.add(write('b'));
    end();
    await sent[0]!.answer('committed');
    expect(sent).to.have.length(2);
  });

  it('Writer.E6 who waits until all is committed ends the holds', async () => {
    const { writer, sent } = heldWriter();
    writer.hold();
    writer.add(write('a'));
    const settled = writer.settled();
    await settle();
    await sent[0]!.answer('committed');
    await settled;
    expect(writer.quiet).to.equal(true);
  });

  for (const how of ['conflict', 'failure'] as const) {
    it(`after a ${how} everything not committed is handed back in order, and nothing more is written`, async () => {
      const { writer, sent, events } = heldWriter();
      writer.add(write('a'));
      await settle();
      writer.add(write('b'));
      writer.add(write('c'));
      const quiet = writer.settled();
      if (how === 'conflict') await sent[0]!.answer('conflict');
      else await sent[0]!.fail(new Error('disk full'));
      await quiet;
      writer.add(write('d'));
      await settle();
      expect(sent).to.have.length(1);
      expect(writer).to.include({ broken: true, quiet: true });
      expect(outcomes(events)).to.deep.equal([
        `lost a,b,c: ${how === 'conflict' ? 'conflict' : 'disk full'}`,
        `lost d: ${how === 'conflict' ? 'conflict' : 'disk full'}`,
      ]);
    });
  }

  it('settled() waits for all that was handed over, and no longer', async () => {
    const { writer, sent } = heldWriter();
    await writer.settled(); // nothing to wait for
    writer.add(write('a'));
    let done = false;
    void writer.settled().then(() => {
      done = true;
    });
    await settle();
    writer.add(write('b'));
    await sent[0]!.answer('committed');
    expect(done).to.equal(false);
    await sent[1]!.answer('committed');
    expect(done).to.equal(true);
  });

  it('measures the time', async () => {
    const { writer, sent, events, time } = heldWriter();
    writer.add(write('a', [put('x'), put('y')], [gone('z')]));
    await settle();
    time.now = 250;
    await sent[0]!.answer('committed');
    expect(events[0]).to.equal('committed in 0.25');
  });
});
