/** Which origins may read (http/cors.ts). */
import type { IncomingMessage } from 'node:http';
import { expect } from 'chai';
import { createCors } from '../../../gateway/http/cors.js';

const from = (origin: string | undefined, more: Record<string, string> = {}, method = 'OPTIONS'): IncomingMessage =>
  ({ method, headers: { ...(origin !== undefined && { origin }), ...more } }) as unknown as IncomingMessage;
const asks = { 'access-control-request-method': 'POST' };

describe('CORS', () => {
  it('is off without origins', () => {
    expect(createCors([])).to.equal(null);
  });

  it('takes an origin that is listed, character by character', () => {
    const cors = createCors(['https://app.example', 'http://localhost:3000'])!;
    for (const origin of ['https://app.example', 'http://localhost:3000'])
      expect(cors.isPreflight(from(origin, asks)), origin).to.equal(true);
    for (const origin of [
      undefined,
      '',
      'null',
      '*',
      'https://app.example/',
      'https://app.example:443',
      'http://app.example',
      'https://APP.example',
      'https://app.example.evil',
      'https://evil.app.example',
      'https://evil',
      'http://localhost:3001',
    ]) {
      expect(cors.isPreflight(from(origin, asks)), origin).to.equal(false);
    }
  });

  it('takes for a preflight what asks for a method, and nothing else', () => {
    const cors = createCors(['*'])!;
    expect(cors.isPreflight(from('https://any', asks))).to.equal(true);
    expect(cors.isPreflight(from('https://any'))).to.equal(false);
    expect(cors.isPreflight(from('https://any', asks, 'POST'))).to.equal(false);
    expect(cors.isPreflight(from(undefined, asks))).to.equal(false);
  });

  it('admits to WebSockets who is listed, who is ourselves, and who is no page', () => {
    const cors = createCors(['https://app.example'])!;
    const host = { host: 'hive.example:8420' };
    for (const origin of ['https://app.example', 'https://hive.example:8420', 'http://hive.example:8420', undefined])
      expect(cors.admits(from(origin, host)), origin).to.equal(true);
    for (const origin of [
      'https://hive.example',
      'https://evil.example',
      'null',
      'ftp://hive.example:8420',
      'https://x.hive.example:8420',
      'https://hive.example:8420.evil',
    ])
      expect(cors.admits(from(origin, host)), origin).to.equal(false);
    expect(createCors(['*'])!.admits(from('https://evil.example', host))).to.equal(true);
  });
});
