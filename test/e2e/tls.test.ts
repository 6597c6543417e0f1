/** HTTPS as it is shipped: a certificate that is renewed while the server runs. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { expect } from 'chai';
import { rootKey, startTestServer, type TestServer } from '../helpers/server.js';
import { otherTls } from '../integration/gateway/tls-fixture-2.js';
import { testTls } from '../integration/gateway/tls-fixture.js';
import { until } from './api/support/client.js';

describe('black box: HTTPS', function () {
  this.timeout(60_000);
  let dir: string;
  let server: TestServer;
  const cert = (): string => join(dir, 'cert.pem');
  const key = (): string => join(dir, 'key.pem');
  before(async () => {
    dir = mkdtempSync(join(tmpdir(), 'hivekeep-tls-'));
    writeFileSync(cert(), testTls.cert);
    writeFileSync(key(), testTls.key);
    // on a loopback address, which its certificate names; HTTPS is the same on any other
    server = await startTestServer({ env: { HIVEKEEP_TLS_CERT: cert(), HIVEKEEP_TLS_KEY: key() } });
  });
  after(async () => {
    await server.stop();
    rmSync(dir, { recursive: true, force: true });
  });

  interface Got {
    status: number | undefined;
    hsts: string | undefined;
    reused: boolean;
  }
  const ask = (ca: string, agent: Agent | false = false): Promise<Got> =>
    new Promise((resolve, reject) => {
      const asked = request(
        `${server.url}/v1/agents`,
        { ca, agent, headers: { authorization: `Bearer ${rootKey}` } },
        (res) => {
          res.resume().on('end', () =>
            resolve({
              status: res.statusCode,
              hsts: res.headers['strict-transport-security'],
              reused: asked.reusedSocket,
            }),
          );
        },
      );
      asked.on('error', reject).end();
    });
  /** The certificate that a new connection is shown. */
  const shown = (): Promise<string> =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(server.url);
      const socket = connect({ host: hostname, port: Number(port), rejectUnauthorized: false }, () => {
        resolve(socket.getPeerCertificate().fingerprint256);
        socket.destroy();
      });
      socket.on('error', reject);
    });

  it('is served with the certificate of the files, and says HSTS', async () => {
    expect(server.url).to.match(/^https:/);
    expect(await ask(testTls.cert)).to.deep.equal({ status: 200, hsts: 'max-age=31536000', reused: false });
    expect(await ask(otherTls.cert).catch((error: NodeJS.ErrnoException) => error.code)).to.equal(
      'DEPTH_ZERO_SELF_SIGNED_CERT',
    );
  });

  it('shows a renewed certificate to new connections within seconds, and open ones go on', async () => {
    const old = await shown();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    expect(await ask(testTls.cert, agent)).to.include({ status: 200 });
    writeFileSync(cert(), otherTls.cert);
    writeFileSync(key(), otherTls.key);
    await until(shown, (print) => print !== old, 10_000);
    expect(await ask(otherTls.cert)).to.include({ status: 200 });
    expect(await ask(testTls.cert, agent)).to.include({ status: 200, reused: true });
    agent.destroy();
    expect(server.stderr()).to.include('the new certificate is in use');
  });

  it('keeps the certificate when the new files are no pair, says so, and takes the next that are', async () => {
    const before = await shown();
    writeFileSync(key(), testTls.key);
    await until(
      async () => server.stderr(),
      (text) => text.includes('the previous certificate stays in use'),
      10_000,
    );
    expect(await shown()).to.equal(before);
    expect(await ask(otherTls.cert)).to.include({ status: 200 });
    writeFileSync(cert(), testTls.cert);
    await until(shown, (print) => print !== before, 10_000);
    expect(await ask(testTls.cert)).to.include({ status: 200 });
  });
});
