/** Spool.P1. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { HivekeepError } from '../../src/domain/errors.js';
import { spooled, type SpoolOptions, unkept } from '../../src/transfer/spool.js';

async function* body(...chunks: string[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield Buffer.from(chunk);
}

describe('spool of a body', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hivekeep-spool-'));
  after(() => rmSync(folder, { recursive: true }));

  const refused = async (options: SpoolOptions): Promise<HivekeepError> => {
    const error = await spooled(body('a'), async () => 'kept', options).catch((e: unknown) => e);
    expect(error).to.be.instanceOf(HivekeepError);
    return error as HivekeepError;
  };

  it('Spool.P1: is read as often as it is wanted, and has no name from its first byte on', async () => {
    async function* watched(): AsyncGenerator<Uint8Array> {
      for await (const chunk of body('a heron', ' is grey')) {
        expect(readdirSync(folder)).to.deep.equal([]);
        yield chunk;
      }
    }
    const read = await spooled(
      watched(),
      async (again) => {
        const texts: string[] = [];
        for (let n = 0; n < 2; n++) {
          const parts: Uint8Array[] = [];
          for await (const part of again()) parts.push(part);
          texts.push(Buffer.concat(parts).toString());
        }
        return texts;
      },
      { folder, spare: 0 },
    );
    expect(read).to.deep.equal(['a heron is grey', 'a heron is grey']);
    expect(readdirSync(folder)).to.deep.equal([]);
  });

  it('says where there is no room', async () => {
    expect(await refused({ folder, spare: Number.MAX_SAFE_INTEGER })).to.deep.include({
      code: 'UNAVAILABLE',
      message: `there is no room in ${folder} of the server for the body of an import`,
    });
  });

  it('a folder that cannot be used is a failure of the server, which names it', async () => {
    const none = join(folder, 'none');
    const error = await spooled(body('a'), async () => 'kept', { folder: none }).catch((e: unknown) => e);
    expect(error).to.be.instanceOf(Error).and.not.instanceOf(HivekeepError);
    expect((error as Error).message).to.equal(
      `the body of an import cannot be kept in ${none} (ENOENT): TMPDIR names another folder`,
    );
  });

  for (const [code, passes] of [
    ['ENOSPC', /no room in/],
    ['EDQUOT', /no room in/],
    ['EMFILE', /too many files open/],
    ['ENFILE', /too many files open/],
    ['EACCES', null],
    ['EROFS', null],
    ['EIO', null],
  ] as const)
    it(`${code} ${passes ? 'passes, so it is 503' : 'does not pass by itself'}`, () => {
      const told = unkept(folder, Object.assign(new Error('open'), { code }));
      if (passes)
        expect(told).to.include({ code: 'UNAVAILABLE', retryAfter: 60 }).with.property('message').match(passes);
      else expect(told).to.not.be.instanceOf(HivekeepError);
      expect(told.cause).to.include({ code });
    });

  it('a body that fails leaves nothing, and its error is told', async () => {
    async function* failing(): AsyncGenerator<Uint8Array> {
      yield* body('a');
      throw new Error('the client left');
    }
    const error = await spooled(failing(), async () => 'kept', { folder, spare: 0 }).catch((e: unknown) => e);
    expect((error as Error).message).to.equal('the client left');
  });
});
