/** Certificate files that change (cli/tls-files.ts). */
import { mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { Failure } from '../../../gateway/cli/failure.js';
import { readTlsFiles, watchTlsFiles } from '../../../gateway/cli/tls-files.js';
import { otherTls } from '../../integration/gateway/tls-fixture-2.js';
import { testTls } from '../../integration/gateway/tls-fixture.js';
import { turn } from '../../helpers/turn.js';

describe('certificate files', () => {
  let dir: string;
  let settings: { tlsCert: string; tlsKey: string };
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'hivekeep-tls-'));
    settings = { tlsCert: join(dir, 'cert.pem'), tlsKey: join(dir, 'key.pem') };
    write(testTls);
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));
  const write = (pair: { cert?: string; key?: string }): void => {
    if (pair.cert !== undefined) writeFileSync(settings.tlsCert, pair.cert);
    if (pair.key !== undefined) writeFileSync(settings.tlsKey, pair.key);
  };

  describe('at the start', () => {
    it('are read where both are named, and belong together', () => {
      expect(readTlsFiles({ tlsCert: null, tlsKey: null })).to.equal(null);
      expect(readTlsFiles(settings)?.cert.toString()).to.equal(testTls.cert);
      write({ cert: otherTls.cert });
      expect(() => readTlsFiles(settings)).to.throw(Failure, /private key that belongs to it/);
      rmSync(settings.tlsKey);
      expect(() => readTlsFiles(settings)).to.throw(Failure, /HIVEKEEP_TLS_KEY .*key\.pem/);
    });
  });

  describe('later', () => {
    /** A watch whose looks the test asks for one by one. */
    function watching(renew: (cert: string) => void = () => undefined) {
      const renewed: string[] = [];
      const log: string[] = [];
      let due: (() => void) | null = null;
      const stop = watchTlsFiles({
        settings,
        current: readTlsFiles(settings)!,
        clock: {
          now: () => 0,
          after: (_ms, fn) => {
            due = fn;
            return () => {
              due = null;
            };
          },
        },
        log: {
          info: (_, message) => log.push(message),
          warn: (fields, message) => log.push(`${message}: ${(fields as { reason: string }).reason}`),
        },
        renew: ({ cert }) => {
          renew(cert.toString());
          renewed.push(cert.toString());
        },
      });
      const looked = async (): Promise<void> => {
        while (due === null) await turn();
      };
      const look = async (times: number): Promise<void> => {
        for (let i = 0; i < times; i++) {
          await looked();
          const go = due;
          due = null;
          go?.();
        }
        await looked();
      };
      return { renewed, log, look, stop, waits: () => due !== null };
    }

    it('are not read for nothing', async () => {
      const { renewed, log, look, stop } = watching();
      await look(5);
      write(testTls); // the same again
      await look(5);
      expect([renewed, log]).to.deep.equal([[], []]);
      stop();
    });

    it('are taken when both have been replaced, not between', async () => {
      const { renewed, log, look, stop } = watching();
      await look(2);
      write({ cert: otherTls.cert });
      await look(1); // seen, not settled
      write({ key: otherTls.key });
      await look(1);
      expect([renewed, log]).to.deep.equal([[], []]);
      await look(1);
      expect(renewed).to.deep.equal([otherTls.cert]);
      expect(log).to.have.length(1);
      await look(5);
      expect(renewed).to.have.length(1);
      stop();
    });

    it('a pair that is none is said once and not used; the next one is', async () => {
      const { renewed, log, look, stop } = watching();
      await look(2);
      write({ cert: otherTls.cert });
      await look(6);
      expect(renewed).to.deep.equal([]);
      expect(log).to.have.length(1);
      expect(log[0]).to.match(/cannot be used; the previous certificate stays in use: .*belongs to it/);
      write({ cert: 'no certificate' });
      await look(3);
      expect(log).to.have.length(2);
      rmSync(settings.tlsCert);
      await look(3);
      expect(log).to.have.length(3);
      expect(log[2]).to.include('cannot be read');
      write(otherTls);
      await look(3);
      expect(renewed).to.deep.equal([otherTls.cert]);
      stop();
    });

    it('are found when a link leads elsewhere, or a file was renamed over them with the time of the old one', async () => {
      const elsewhere = join(dir, 'elsewhere.pem');
      writeFileSync(elsewhere, otherTls.cert);
      const { renewed, look, stop } = watching();
      await look(2);
      rmSync(settings.tlsCert);
      symlinkSync(elsewhere, settings.tlsCert);
      const key = join(dir, 'new-key.pem');
      writeFileSync(key, otherTls.key);
      renameSync(key, settings.tlsKey);
      await look(3);
      expect(renewed).to.deep.equal([otherTls.cert]);
      stop();
    });

    it('that changed while the server started are found', async () => {
      const { renewed, look, stop } = watching();
      write(otherTls);
      await look(2);
      expect(renewed).to.deep.equal([otherTls.cert]);
      stop();
    });

    it('a server that does not take them is not left without a look', async () => {
      let refuse = true;
      const { renewed, log, look, stop } = watching(() => {
        if (refuse) throw new Error('no');
      });
      await look(2);
      write(otherTls);
      await look(3);
      expect(log).to.have.length(1);
      refuse = false;
      write(otherTls);
      await look(3);
      expect(renewed).to.deep.equal([otherTls.cert]);
      stop();
    });

    it('are not looked at any more after the end', async () => {
      const { look, stop, waits } = watching();
      await look(1);
      stop();
      expect(waits()).to.equal(false);
    });
  });
});
