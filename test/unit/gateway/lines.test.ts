/** Downloads of JSON lines and their readers. */
import { Writable } from 'node:stream';
import type { ServerResponse } from 'node:http';
import { finished } from 'node:stream/promises';
import { expect } from 'chai';
import { sendLines } from '../../../gateway/http/lines.js';
import type { GatewayRequest } from '../../../gateway/http/prototypes.js';

/** A response whose reader takes each piece some time later. */
function slowly(ms: number): { res: ServerResponse; taken: () => number } {
  let taken = 0;
  const res = new Writable({
    highWaterMark: 1,
    write(piece: Buffer, _encoding, done) {
      taken += piece.length;
      setTimeout(done, ms);
    },
  });
  return {
    res: Object.assign(res, { headersSent: false, statusCode: 200, writeHead: () => res }) as unknown as ServerResponse,
    taken: () => taken,
  };
}

const line = `${'x'.repeat(100_000)}\n`;
const pieces = 50;

async function download(bounds: {
  bytesPerSecond: number;
  graceMs: number;
}): Promise<{ taken: number; left: boolean }> {
  let left = false;
  async function* lines(): AsyncGenerator<string> {
    try {
      for (let n = 0; n < pieces; n++) yield await Promise.resolve(line);
    } finally {
      left = true;
    }
  }
  const { res, taken } = slowly(5);
  await sendLines({} as GatewayRequest, res, lines(), { count: () => undefined }, bounds);
  await finished(res).catch(() => undefined);
  return { taken: taken(), left };
}

describe('downloads of lines', () => {
  it('a reader that takes a little now and then is cut, and what is read for it is left', async () => {
    const { taken, left } = await download({ bytesPerSecond: 1e12, graceMs: 20 });
    expect(taken).to.be.lessThan(pieces * line.length);
    expect(left).to.equal(true);
  });

  it('one that is fast enough gets all', async () => {
    expect(await download({ bytesPerSecond: 1, graceMs: 60_000 })).to.deep.equal({
      taken: pieces * line.length,
      left: true,
    });
  });
});
