/** A start that waits for servers (gateway/main/patient-start.ts). */
import { expect } from 'chai';
import { MongoServerSelectionError } from 'mongodb';
import { Failure } from '../../../gateway/cli/failure.js';
import { patientStart, ServerAway } from '../../../gateway/main/patient-start.js';
import { toStoreError } from '../../../src/store/mongo/failures.js';

const mongo = 'mongodb://db:27017/x';
const away: [string, Error][] = [
  ['Redis', new ServerAway('Nothing listens at redis:6379.')],
  ['MongoDB', toStoreError(new MongoServerSelectionError('connect ECONNREFUSED', {} as never), mongo)],
];
const forGood: [string, Error][] = [
  ['a setting', new Failure('HIVEKEEP_REDIS_URL names no server.')],
  ['credentials', toStoreError(Object.assign(new Error('Authentication failed.'), { code: 18 }), mongo)],
  ['TLS', toStoreError(new MongoServerSelectionError('SSL routines: wrong version', {} as never), mongo)],
];

function bench(waitMs: number) {
  let elapsed = 0;
  const log: string[] = [];
  const line = (_: object, message: string): void => {
    log.push(message);
  };
  const patiently = patientStart(waitMs, {
    clock: { elapsed: () => elapsed },
    log: { warn: line, info: line } as never,
    pause: (ms) => {
      elapsed += ms;
      return Promise.resolve();
    },
  });
  const failing = (error: Error, times: number) => {
    let tries = 0;
    return () => (++tries <= times ? Promise.reject(error) : Promise.resolve(tries));
  };
  return { log, patiently, failing, elapsed: () => elapsed };
}

describe('A start of a cluster process', () => {
  for (const [server, error] of away) {
    it(`tries again while ${server} is away, and says so once`, async () => {
      const { log, patiently, failing } = bench(60_000);
      expect(await patiently(failing(error, 5))).to.equal(6);
      expect(log).to.have.length(2);
      expect(log[0]).to.equal(`${error.message} The start tries again for 60 s.`);
      expect(log[1]).to.include('goes on');
    });
    it(`gives up when ${server} was away for too long, in all parts together`, async () => {
      const { patiently, failing, elapsed } = bench(10_000);
      await patiently(failing(error, 6));
      expect(await patiently(failing(error, 100)).catch((failure: unknown) => failure)).to.equal(error);
      expect(elapsed()).to.equal(10_000);
      expect(
        await bench(0)
          .patiently(failing(error, 1))
          .catch((failure: unknown) => failure),
      ).to.equal(error);
    });
  }
  for (const [what, error] of forGood)
    it(`ends at once for what waiting cannot mend: ${what}`, async () => {
      const { log, patiently, failing, elapsed } = bench(60_000);
      expect(await patiently(failing(error, 1)).catch((failure: unknown) => failure)).to.equal(error);
      expect({ log, ms: elapsed() }).to.deep.equal({ log: [], ms: 0 });
    });
});
