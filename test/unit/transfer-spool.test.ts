/** Spool.P1. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { HivekeepError } from '../../src/domain/shared/errors.js';
import { spooled, type SpoolOptions, spoolProblem, unkept } from '../../src/transfer/spool.js';

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

  it('a folder that cannot be used is told in a sentence, to the client and to doctor', async () => {
    const none = join(folder, 'none');
    const text = `an import is kept on disk while it arrives, and this server cannot write to ${none} (ENOENT): its operator mounts a folder there, or names one by TMPDIR`;
    expect(await refused({ folder: none })).to.include({ code: 'UNAVAILABLE', message: text });
    expect((await spoolProblem(none))?.message).to.equal(text);
    expect(await spoolProblem(folder)).to.equal(null);
    expect(readdirSync(folder)).to.deep.equal([]);
  });

  for (const [code, told] of [
    ['ENOSPC', /no room in/],
    ['EDQUOT', /no room in/],
    ['EMFILE', /too many files open/],
    ['ENFILE', /too many files open/],
    ['EACCES', /TMPDIR/],
    ['EROFS', /TMPDIR/],
    ['EIO', null],
  ] as const)
    it(`${code} ${told ? 'is 503, and says what to do' : 'is a failure of the server'}`, () => {
      const error = unkept(folder, Object.assign(new Error('open'), { code }));
      if (told) expect(error).to.include({ code: 'UNAVAILABLE', retryAfter: 60 }).with.property('message').match(told);
      else expect(error).to.not.be.instanceOf(HivekeepError);
      expect(error.cause).to.include({ code });
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
