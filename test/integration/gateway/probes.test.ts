/** Probes under a flood of them (gateway/probes.ts). */
import { expect } from 'chai';
import { startGateway, type TestGateway } from '../../helpers/gateway.js';
import { RawClient } from './raw-client.js';

const token = 'scrape.0123456789abcdef';
const get = (path: string, headers = ''): string => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`;

describe('gateway: probes', () => {
  let gateway: TestGateway;
  let client: RawClient;
  let rendered = 0;
  let now = 0;
  let failure: Error | null = null;
  let isStarted = true;
  const start = async (metricsToken?: string): Promise<void> => {
    rendered = 0;
    failure = null;
    gateway = await startGateway({
      config: metricsToken === undefined ? {} : { metricsToken },
      options: {
        monotonic: () => now,
        isStarted: () => isStarted,
        metrics: {
          request: () => undefined,
          text: async () => {
            if (failure !== null) throw failure;
            return `# ${++rendered}\n`;
          },
        },
      },
    });
    client = new RawClient(gateway.port);
  };
  afterEach(async () => {
    client.destroy();
    await gateway.stop();
  });
  const scrape = async (headers = ''): Promise<string> => {
    const { status, body } = await client.send(get('/metrics', headers)).answer();
    return status === 200 ? body : String(status);
  };

  it('the numbers are rendered once a second, however many ask', async () => {
    await start();
    client.send(get('/metrics').repeat(300));
    for (let i = 0; i < 300; i++) expect((await client.answer()).body).to.equal('# 1\n');
    now += 999;
    expect(await scrape()).to.equal('# 1\n');
    now += 1;
    expect(await scrape()).to.equal('# 2\n');
  });

  it('a failure to render is not kept', async () => {
    await start();
    failure = new Error('no numbers');
    expect(await scrape()).to.equal('500');
    failure = null;
    expect(await scrape()).to.equal('# 1\n');
  });

  it('the numbers may ask for a token of their own, and the other probes do not', async () => {
    await start(token);
    expect(await scrape()).to.equal('401');
    expect(await scrape(`Authorization: Bearer ${token}x\r\n`)).to.equal('401');
    expect(await scrape(`Authorization: Basic ${token}\r\n`)).to.equal('401');
    expect(await scrape(`Authorization: Bearer ${token}\r\n`)).to.equal('# 1\n');
    expect((await client.send(get('/livez')).answer()).status).to.equal(200);
    const readyz = async (): Promise<number> => (await client.send(get('/readyz')).answer()).status;
    expect(await readyz()).to.equal(200);
    isStarted = false; // while a start has more to do, such as to write the first key
    expect(await readyz()).to.equal(503);
    isStarted = true;
  });
});
