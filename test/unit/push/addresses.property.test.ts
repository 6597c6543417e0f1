import { expect } from 'chai';
import fc from 'fast-check';
import { isPublicAddress } from '../../../src/push/addresses.js';
import { hostileAddresses } from './hostile-urls.js';
import { refusal, world } from './kit.js';

type V4 = [number, number, number, number];
const number32 = (v4: V4): number => v4.reduce((n, byte) => n * 256 + byte, 0);

/** IANA's special-purpose registry, written down a second time: first address and prefix length. */
const specialV4: readonly [V4, number][] = [
  [[0, 0, 0, 0], 8],
  [[10, 0, 0, 0], 8],
  [[100, 64, 0, 0], 10],
  [[127, 0, 0, 0], 8],
  [[169, 254, 0, 0], 16],
  [[172, 16, 0, 0], 12],
  [[192, 0, 0, 0], 24],
  [[192, 0, 2, 0], 24],
  [[192, 31, 196, 0], 24],
  [[192, 52, 193, 0], 24],
  [[192, 88, 99, 0], 24],
  [[192, 168, 0, 0], 16],
  [[192, 175, 48, 0], 24],
  [[198, 18, 0, 0], 15],
  [[198, 51, 100, 0], 24],
  [[203, 0, 113, 0], 24],
  [[224, 0, 0, 0], 4],
  [[240, 0, 0, 0], 4],
  [[168, 63, 129, 16], 32],
];
const isSpecial = (n: number): boolean =>
  specialV4.some(([from, bits]) => Math.floor(n / 2 ** (32 - bits)) === Math.floor(number32(from) / 2 ** (32 - bits)));

const bytesOf = (n: number): V4 => [n >>> 24, (n >>> 16) & 255, (n >>> 8) & 255, n & 255];
const special = fc
  .constantFrom(...specialV4)
  .chain(([from, bits]) => fc.nat(2 ** (32 - bits) - 1).map((rest) => number32(from) + rest));
const anyV4 = fc.nat(2 ** 32 - 1);

/** One byte, or the whole tail, in decimal, octal or hex, with any number of leading zeros where these are allowed. */
const digits = (n: number, base: 'd' | 'o' | 'x', zeros: number): string =>
  base === 'd'
    ? String(n)
    : base === 'o'
      ? `0${'0'.repeat(zeros)}${n.toString(8)}`
      : `0x${'0'.repeat(zeros)}${n.toString(16)}`;

const style = fc.record({
  bases: fc.array(fc.constantFrom('d' as const, 'o' as const, 'x' as const), { minLength: 4, maxLength: 4 }),
  zeros: fc.nat(3),
  parts: fc.integer({ min: 1, max: 4 }),
  dot: fc.boolean(),
  script: fc.constantFrom(0x30, 0xff10, 0x1d7ce),
});

/** An IPv4 host as inet_aton and URL parsers read it: 1 to 4 parts, the last of which takes the rest. */
function spelt(
  n: number,
  {
    bases,
    zeros,
    parts,
    dot,
    script,
  }: { bases: ('d' | 'o' | 'x')[]; zeros: number; parts: number; dot: boolean; script: number },
): string {
  const bytes = bytesOf(n);
  const head = bytes.slice(0, parts - 1);
  const tail = n % 256 ** (5 - parts);
  const text = [...head, tail].map((part, i) => digits(part, bases[i]!, zeros)).join('.') + (dot ? '.' : '');
  return text.replace(/\d/g, (d) => String.fromCodePoint(script + Number(d)));
}

const v6 = (groups: number[]): string => groups.map((g) => g.toString(16)).join(':');
const group = fc.nat(0xffff);
const under = (...prefix: number[]): fc.Arbitrary<number[]> =>
  fc.array(group, { minLength: 8 - prefix.length, maxLength: 8 - prefix.length }).map((rest) => [...prefix, ...rest]);
const between = (low: number, high: number): fc.Arbitrary<number[]> =>
  fc.tuple(fc.integer({ min: low, max: high }), under(0)).map(([first, rest]) => [first, ...rest.slice(1)]);

const specialV6 = fc.oneof(
  under(0, 0, 0, 0, 0, 0xffff),
  under(0, 0, 0, 0, 0xffff, 0),
  under(0, 0, 0, 0, 0, 0),
  under(0x64, 0xff9b, 0, 0, 0, 0),
  under(0x64, 0xff9b, 1),
  under(0x100, 0, 0, 0),
  under(0x2001, 0),
  under(0x2001, 2, 0),
  under(0x2001, 0xdb8),
  under(0x2001, 0x10),
  under(0x2001, 0x20),
  under(0x2002),
  under(0x3fff, 0),
  between(0, 0x1fff),
  between(0x4000, 0xffff),
  between(0xfc00, 0xfdff),
  between(0xfe80, 0xfebf),
  between(0xfec0, 0xfeff),
  between(0xff00, 0xffff),
);

describe('push: public addresses', () => {
  it('a special IPv4 address is refused in every spelling of a URL', async () => {
    await fc.assert(
      fc.asyncProperty(special, style, async (n, s) => {
        const url = `https://${spelt(n, s)}/hook`;
        expect(await refusal(world().push.check({ url })), url).to.match(/^VALIDATION_ERROR/);
      }),
      { numRuns: 2000 },
    );
  });

  it('any IPv4 address passes if and only if it is not special, in every spelling', async () => {
    await fc.assert(
      fc.asyncProperty(anyV4, style, async (n, s) => {
        const url = `https://${spelt(n, s)}/hook`;
        expect(isPublicAddress(bytesOf(n).join('.'))).to.equal(!isSpecial(n));
        // the parser itself refuses a spelling whose digits are not its own, such as a full-width 0x
        if (URL.canParse(url))
          expect(await refusal(world().push.check({ url })), url).to.equal(
            isSpecial(n) ? 'VALIDATION_ERROR url: must name a public host' : 'let through',
          );
      }),
      { numRuns: 2000 },
    );
  });

  it('a special IPv6 address is refused, whatever IPv4 address is inside and however it is written', async () => {
    await fc.assert(
      fc.asyncProperty(specialV6, fc.boolean(), async (groups, dotted) => {
        const tail = [groups[6]! >> 8, groups[6]! & 255, groups[7]! >> 8, groups[7]! & 255].join('.');
        const text = dotted ? `${v6(groups.slice(0, 6))}:${tail}` : v6(groups);
        expect(isPublicAddress(text), text).to.equal(false);
        expect(await refusal(world().push.check({ url: `https://[${text}]/` })), text).to.match(/^VALIDATION_ERROR/);
      }),
      { numRuns: 1000 },
    );
  });

  it('a mapped, compatible, NAT64 or 6to4 form is refused of any IPv4 address, public ones too', () => {
    fc.assert(
      fc.property(anyV4, (n) => {
        const dotted = bytesOf(n).join('.');
        const [high, low] = [(n >>> 16).toString(16), (n & 0xffff).toString(16)];
        for (const text of [
          `::ffff:${dotted}`,
          `::${dotted}`,
          `::ffff:0:${dotted}`,
          `64:ff9b::${dotted}`,
          `64:ff9b:1::${dotted}`,
          `2002:${high}:${low}::1`,
        ])
          expect(isPublicAddress(text), text).to.equal(false);
      }),
    );
  });

  it('addresses of networks that are given out pass', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          under(0x2606, 0x4700),
          under(0x2a00, 0x1450),
          under(0x2400, 0xcb00),
          under(0x2001, 0x4860),
          under(0x2c0f, 0xf248),
        ),
        (groups) => {
          expect(isPublicAddress(v6(groups)), v6(groups)).to.equal(true);
        },
      ),
    );
  });

  it('what is no address is not public', () => {
    for (const text of hostileAddresses) expect(isPublicAddress(text), text).to.equal(false);
    fc.assert(
      fc.property(fc.string(), (text) => {
        if (!/^[0-9a-f:.]+$/i.test(text)) expect(isPublicAddress(text)).to.equal(false);
      }),
    );
  });
});
