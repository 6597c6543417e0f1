/** The compressed form of stored texts. */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { open } from 'lmdb';
import { compress, decompress, isCompressed, mostAdded } from '../../../src/store/lmdb/compression.js';
import { dictionaryText } from '../../../src/store/lmdb/dictionary.js';
import { textCodec } from '../../../src/store/lmdb/values.js';

const text = (words: number): string => Array.from({ length: words }, (_, i) => `the word number ${i}`).join(', ');

function compressed(from: string): Buffer | null {
  const target = Buffer.alloc(Buffer.byteLength(from) + mostAdded);
  const end = compress(from, target, 0);
  return end === -1 ? null : target.subarray(0, end);
}

describe('compression of stored texts', () => {
  const { encode, decode } = textCodec();
  const stored = (from: string): Buffer => {
    const slab = encode(from) as Buffer & { start: number; end: number };
    return Buffer.from(slab.subarray(slab.start, slab.end));
  };

  it('every text reads as it was written', () => {
    const part = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 300 }),
      fc.constantFrom('a', 'ab', '"updated_at":"', '\0', 'é', '😀').map((unit) => unit.repeat(90)),
      fc.nat({ max: dictionaryText.length - 200 }).map((at) => dictionaryText.slice(at, at + 200)),
      fc.constant(text(300)),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const all = parts.join('').toWellFormed();
        expect(decode(stored(all))).to.equal(all);
      }),
      { numRuns: 500 },
    );
  });

  it('the form and the dictionary are those of the schema', () => {
    expect(createHash('sha256').update(dictionaryText).digest('base64url')).to.equal(
      'exwexOL1lDtPCaXocXK51n6xcAI2QzqOqRhL6mL0mZ4',
    );
    const run = `{"status":"completed","triggeredBy":"api","sessionId":"sess_01m84gt0r","input":"${'ab'.repeat(60)}"}`;
    expect(compressed(run)?.toString('base64')).to.equal('/gAAyg8uAitgbTg0Z3QwegEEeAAvYWICAGBQYmFiIn0=');
  });

  it('lmdb-js reads it, too', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'hivekeep-compression-'));
    const written = [text(300), text(20), '"status":"completed"'.repeat(20), 'é'.repeat(500)];
    try {
      const root = open<string, number>({ path: dir, encoding: 'string', encoder: textCodec() } as object);
      for (const [i, value] of written.entries()) await root.put(i, value);
      await root.close();
      const compression = { threshold: 100, dictionary: Buffer.from(dictionaryText, 'latin1') };
      const theirs = open<string, number>({ path: dir, encoding: 'string', compression });
      expect(written.map((_, i) => theirs.get(i))).to.deep.equal(written);
      await theirs.close();
    } finally {
      rmSync(dir, { recursive: true });
    }
  });

  it('short texts, long ones, and those in which nothing repeats are stored as they are', () => {
    const noise = createHash('shake256', { outputLength: 120 }).update('noise').digest('base64');
    for (const plain of ['', 'a'.repeat(100), noise, text(10_000), '中'.repeat(20_000)]) {
      expect(compressed(plain)).to.equal(null);
      expect(stored(plain).toString('utf8')).to.equal(plain);
      expect(isCompressed(stored(plain))).to.equal(false);
    }
    expect(stored(text(300)).length).to.be.lessThan(text(300).length / 2);
  });

  it('a value is read to its end, and not what lmdb-js has read before it into the same buffer', () => {
    const shared = Object.defineProperty(stored(text(300)), 'length', { value: 0, writable: true });
    expect(decode(shared)).to.equal('');
  });

  it('whatever the bytes are, the answer is a text or an error', () => {
    const good = stored(text(300));
    const change = fc.record({ at: fc.nat({ max: good.length - 1 }), byte: fc.nat({ max: 255 }) });
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 400 }).map((rest) => Buffer.from([0xfe, 0, 0, 200, ...rest])),
      fc.tuple(fc.array(change, { maxLength: 8 }), fc.nat({ max: good.length })).map(([changes, end]) => {
        const bad = Buffer.from(good);
        for (const { at, byte } of changes) if (at > 0) bad[at] = byte;
        return bad.subarray(0, Math.max(end, 5));
      }),
    );
    fc.assert(
      fc.property(bytes, (value) => {
        try {
          decompress(value);
        } catch (error) {
          expect(String(error)).to.equal('Error: a compressed value is damaged');
        }
        expect(decode(good), 'what is read next is not touched').to.equal(text(300));
      }),
      { numRuns: 2000 },
    );
  });
});
