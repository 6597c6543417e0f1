/** Ids, clock, counts, errors, merge patch: what everything else stands on. */
import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { addCounts } from '../../../src/domain/shared/draft.js';
import { advance, type EntityTime, idTime, iso, maxSkewMs, tick } from '../../../src/domain/shared/clock.js';
import { errorCodes, HivekeepError, invalid, notFound, unavailable } from '../../../src/domain/shared/errors.js';
import { encodeTime, idPrefixes, idSource } from '../../../src/domain/shared/ids.js';
import { mergePatch } from '../../../src/domain/shared/merge.js';

describe('domain: ids', () => {
  const time = fc.integer({ min: 0, max: Date.UTC(9999, 0) });
  it('have the prefix of their kind, ten characters of time, two of a count and fourteen random ones', () => {
    const ids = idSource(randomBytes);
    for (const [kind, prefix] of Object.entries(idPrefixes))
      expect(ids(kind as keyof typeof idPrefixes, 1)).to.match(new RegExp(`^${prefix}_[0-9a-hjkmnp-tv-z]{26}$`));
  });
  it('sort by time, as text', () => {
    const ids = idSource(randomBytes);
    fc.assert(
      fc.property(time, time, (a, b) => {
        fc.pre(a !== b);
        expect(encodeTime(a) < encodeTime(b)).to.equal(a < b);
        expect(ids('run', a) < ids('run', b)).to.equal(a < b);
      }),
    );
  });
  it('are unique within a millisecond, across blocks of random bytes', () => {
    const ids = idSource(randomBytes);
    expect(new Set(Array.from({ length: 5000 }, () => ids('memory', 7))).size).to.equal(5000);
  });
  it('that one decision makes (one time, made in one go) sort as they were made, up to 1024', () => {
    const ids = idSource(randomBytes);
    for (const at of [5, 6, 5]) {
      const made = Array.from({ length: 1024 }, () => ids('checkpoint', at));
      expect(made).to.deep.equal([...made].sort());
    }
  });
  it('use no random byte twice, and few extra', () => {
    let next = 0;
    let given = 0;
    const ids = idSource((n) => {
      given += n;
      return Uint8Array.from({ length: n }, () => next++ % 32);
    });
    const bytes = '0123456789abcdefghjkmnpqrstvwxyz'.repeat(200);
    for (let i = 0; i < 292; i++) expect(ids('run', i).slice(-14)).to.equal(bytes.slice(i * 14, i * 14 + 14));
    expect(given).to.equal(4096);
    ids('run', 0);
    expect(given).to.equal(8192);
  });
});

describe('domain: clock', () => {
  it('never stands still and never goes back', () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(), (now, last) => {
        expect(tick(now, last)).to.be.greaterThan(last).and.at.least(now);
      }),
    );
  });
  it("an entity's ids never go back, and its timestamps follow a clock that is put right", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 400 * 86_400_000 }), { minLength: 1, maxLength: 20 }), (nows) => {
        let time: EntityTime = { lastMs: 0 };
        for (const now of nows) {
          const next = advance(time, now);
          expect(idTime(next), 'ids').to.be.greaterThan(idTime(time)).and.at.least(now);
          expect(next.lastMs, 'no further ahead than the bound')
            .to.be.at.least(now)
            .and.at.most(now + maxSkewMs + 1);
          if (time.lastMs - now <= maxSkewMs) expect(next.lastMs, 'moves').to.be.greaterThan(time.lastMs);
          time = next;
        }
      }),
    );
  });
  it('is written in UTC with milliseconds', () => {
    expect(iso(0)).to.equal('1970-01-01T00:00:00.000Z');
  });
});

describe('domain: counts', () => {
  it('are added to a copy, and a number that reaches 0 is left out', () => {
    const before = Object.freeze({ a: 1, b: 2 });
    expect(addCounts(before, { a: -1, b: 1, c: 3, d: 0 })).to.deep.equal({ b: 3, c: 3 });
  });
});

describe('domain: errors', () => {
  it('say whether the same request may succeed later', () => {
    const retryable = errorCodes.filter((code) => new HivekeepError(code, 'x').retryable);
    expect(retryable).to.have.members([
      'RATE_LIMIT_EXCEEDED',
      'CONCURRENCY_LIMIT_EXCEEDED',
      'UNAVAILABLE',
      'AGENT_BUSY',
    ]);
  });
  it('carry details, cause and a time to wait', () => {
    const cause = new Error('disk');
    expect(unavailable('no', { cause })).to.include({
      code: 'UNAVAILABLE',
      retryAfter: 1,
      cause,
      name: 'HivekeepError',
    });
    expect(notFound('run', 'run_1')).to.include({ code: 'NOT_FOUND', message: 'no run run_1' });
    const error = invalid({ path: 'a.b', message: 'must be c' }, { path: '', message: 'must be d' });
    expect(error.message).to.equal('a.b: must be c');
    expect(error.details).to.deep.equal({
      issues: [
        { path: 'a.b', message: 'must be c' },
        { path: '', message: 'must be d' },
      ],
    });
    expect(invalid({ path: '', message: 'must be d' }).message).to.equal('body: must be d');
  });
});

describe('domain: merge patch', () => {
  // the examples of RFC 7396, appendix A, whose target and patch are objects
  const examples: [object, object, object][] = [
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b' }, { a: null }, {}],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ];
  for (const [target, patch, result] of examples) {
    it(`${JSON.stringify(target)} with ${JSON.stringify(patch)}`, () => {
      expect(mergePatch(target as Record<string, unknown>, patch as Record<string, unknown>)).to.deep.equal(result);
    });
  }
  it('the long example of section 3', () => {
    const target = {
      title: 'Goodbye!',
      author: { givenName: 'John', familyName: 'Doe' },
      tags: ['example', 'sample'],
      content: 'This will be unchanged',
    };
    expect(
      mergePatch(target, {
        title: 'Hello!',
        phoneNumber: '+01-123-456-7890',
        author: { familyName: null },
        tags: ['example'],
      }),
    ).to.deep.equal({
      title: 'Hello!',
      author: { givenName: 'John' },
      tags: ['example'],
      content: 'This will be unchanged',
      phoneNumber: '+01-123-456-7890',
    });
  });
  it('__proto__ is a key like any other, and reaches no prototype', () => {
    const merged = mergePatch(
      {},
      JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}') as Record<
        string,
        unknown
      >,
    );
    expect(({} as Record<string, unknown>)['polluted']).to.equal(undefined);
    expect(merged['polluted']).to.equal(undefined);
    expect(Object.keys(merged)).to.deep.equal(['__proto__', 'constructor']);
  });
  it('changes neither target nor patch, is idempotent, and leaves no null that the target had not', () => {
    const json = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom(null, 1, 'x', true),
        fc.array(tie('value'), { maxLength: 2 }),
        fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('value')),
      ),
    })).value;
    const object = fc.dictionary(fc.constantFrom('a', 'b', 'c'), json);
    fc.assert(
      fc.property(object, object, (target, patch) => {
        const before = structuredClone([target, patch]);
        const once = mergePatch(target, patch);
        expect([target, patch]).to.deep.equal(before);
        expect(mergePatch(once, patch)).to.deep.equal(once);
        for (const [key, value] of Object.entries(patch)) expect(Object.hasOwn(once, key)).to.equal(value !== null);
        for (const key of Object.keys(target)) if (!Object.hasOwn(patch, key)) expect(once[key]).to.equal(target[key]);
      }),
    );
  });
});
