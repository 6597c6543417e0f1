/** Validators (http/etag.ts; RFC 9110, 8.8 and 13.1). */
import { expect } from 'chai';
import fc from 'fast-check';
import { etagOf, matchesEtag, namedVersions, versionedEtag } from '../../../gateway/http/etag.js';

const at = '2026-11-21T09:00:00.123Z';

describe('ETags', () => {
  it('are strong, and another with every byte and every version', () => {
    for (const tag of [etagOf('a'), versionedEtag(at, 'a')]) expect(tag).to.match(/^"[!#-~]+"$/);
    expect(
      new Set([
        etagOf('a'),
        etagOf('b'),
        versionedEtag(at, 'a'),
        versionedEtag(at, 'b'),
        versionedEtag('2026-11-21T09:00:00.124Z', 'a'),
      ]).size,
    ).to.equal(5);
  });

  it('If-Match: the version of a tag comes back, whatever the body was', () => {
    const day = 86_400_000;
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 365 * 200 }),
        fc.integer({ min: 0, max: day - 1 }),
        fc.string(),
        (days, ms, body) => {
          const time = new Date(days * day + ms).toISOString();
          expect(namedVersions(versionedEtag(time, body))).to.deep.equal([time]);
        },
      ),
    );
  });

  it('If-Match: absent and * ask for nothing; lists name each; what is none of ours names none', () => {
    const tag = versionedEtag(at, 'a');
    const other = versionedEtag('2026-11-21T10:00:00.000Z', 'b');
    for (const [header, named] of [
      [undefined, undefined],
      ['*', undefined],
      [' * ', undefined],
      [tag, [at]],
      [` ${tag}\t`, [at]],
      [`${tag}, ${other}`, [at, '2026-11-21T10:00:00.000Z']],
      [`"x",${tag} ,, W/${other}`, [at]],
      [`W/${tag}`, []],
      ['', []],
      ['"', []],
      ['""', []],
      ['"stale"', []],
      ['stale', []],
      [tag.slice(1, -1), []],
      [`${tag}${other}`, []],
      [`"*"`, []],
      [`x${tag}`, []],
      [`${tag}x`, []],
    ] as const)
      expect(namedVersions(header), String(header)).to.deep.equal(named);
  });

  it('If-Match: reading takes time in proportion to its length', () => {
    const time = (n: number): number => {
      const hostile = [
        `"${'0'.repeat(n)}`,
        `${' '.repeat(n)}"`,
        `"0-${'a'.repeat(n)}`,
        `,${'\t'.repeat(n)}`.repeat(2),
        '"0-'.repeat(n / 3),
      ];
      const began = performance.now();
      for (const header of hostile) for (let i = 0; i < 20; i++) namedVersions(header);
      return performance.now() - began;
    };
    time(20_000);
    expect(Math.min(time(200_000), time(200_000)) / Math.max(0.2, time(20_000))).to.be.below(
      60,
      '10 times the length, not 100 times the time',
    );
  });

  it('If-None-Match: weak or strong, one of many, or any', () => {
    const tag = etagOf('a');
    for (const header of [tag, `W/${tag}`, `"x", ${tag}`, '*', ' * '])
      expect(matchesEtag(header, tag), header).to.equal(true);
    for (const header of [undefined, '', '"x"', tag.slice(1, -1), `${tag}x`])
      expect(matchesEtag(header, tag), String(header)).to.equal(false);
  });
});
