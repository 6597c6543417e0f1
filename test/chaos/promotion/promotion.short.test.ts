/** PROMOTIONS says how many of each. */
import { expect } from 'chai';
import { promotions } from './promotion.js';

const each = Number(process.env['PROMOTIONS'] ?? 2);

describe('A primary of Redis is killed, and its replica promoted', function () {
  this.timeout(60_000 + each * 30_000);
  for (const [replica, behindMs] of [
    ['has heard everything', 0],
    ['is 1.5 s behind', 1500],
  ] as const)
    it(`under load, where the replica ${replica}: nothing is lost or doubled`, async function promoted() {
      const report = await promotions({
        promotions: each,
        behindMs,
        told: each > 2 ? (line) => void process.stdout.write(`      ${line}\n`) : undefined,
      });
      if (report === null) return this.skip(); // no redis-server or mongod on PATH
      const { lost, doubled, failed, ...figures } = report;
      if (each > 2) process.stdout.write(`      ${JSON.stringify({ ...figures, failed })}\n`);
      expect({ lost, doubled }).to.deep.equal({ lost: [], doubled: [] });
    });
});
