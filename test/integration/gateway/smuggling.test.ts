/**
 * Request smuggling and slow senders (http/head.ts, server-options.ts, broken-http.ts): a request that two readers
 * could take for different ones is refused and its connection ends, or there is one way only to read it. After each
 * request another one is sent on the same connection, which must be served after what is clear, and never after what is
 * not.
 */
import { expect } from 'chai';
import { rootKey, startGateway, type Envelope, type TestGateway } from '../../helpers/gateway.js';
import { RawClient, type RawAnswer } from './raw-client.js';
import { patient } from '../../helpers/patience.js';

const json = '{"type":"a","content":"b"}';
const size = '1a';
const auth = `Authorization: Bearer ${rootKey}\r\n`;
const base = `Host: x\r\n${auth}Content-Type: application/json\r\n`;
const post = (headers: string, body: string, line = 'POST /v1/memories HTTP/1.1\r\n'): string =>
  `${line}${base}${headers}\r\n${body}`;
const sized = (headers: string, line?: string): string => post(headers, json, line);
const coded = (headers: string, line?: string): string => post(headers, `${size}\r\n${json}\r\n0\r\n\r\n`, line);
const chunks = (body: string): string => post('Transfer-Encoding: chunked\r\n', body);
const length = 'Content-Length: 26\r\n';
const chunked = 'Transfer-Encoding: chunked\r\n';
const next = `GET /v1/hives HTTP/1.1\r\nHost: x\r\n${auth}\r\n`;
const fields = (n: number): string => Array.from({ length: n }, (_, i) => `X-${i}: a\r\n`).join('');

const refused: Readonly<Record<string, string>> = {
  'Content-Length and Transfer-Encoding': coded(`${length}${chunked}`),
  'Transfer-Encoding and Content-Length': coded(`${chunked}${length}`),
  'two lengths that agree': sized(`${length}${length}`),
  'two lengths that differ': sized(`${length}Content-Length: 3\r\n`),
  'a list of lengths': sized('Content-Length: 26, 26\r\n'),
  'a length with a sign': sized('Content-Length: +26\r\n'),
  'a negative length': sized('Content-Length: -1\r\n'),
  'a length in hexadecimal': sized('Content-Length: 0x1a\r\n'),
  'an empty length': sized('Content-Length: \r\n'),
  'a length past 64 bits': sized('Content-Length: 18446744073709551642\r\n'),
  'a space before the colon of a length': sized('Content-Length : 26\r\n'),
  'a space before the colon of a coding': coded('Transfer-Encoding : chunked\r\n'),
  'a folded header': sized(`X-A: a\r\n b\r\n${length}`),
  'a header folded by a tab': sized(`X-A: a\r\n\tb\r\n${length}`),
  'a folded length': sized('Content-Length:\r\n 26\r\n'),
  'a folded coding': coded('Transfer-Encoding:\r\n chunked\r\n'),
  'a fold before the first header': sized(length, 'POST /v1/memories HTTP/1.1\r\n X: a\r\n'),
  'a bare LF after a header': sized(`X-A: a\n${length}`),
  'a bare LF after the request line': sized(length, 'POST /v1/memories HTTP/1.1\n'),
  'bare LFs everywhere': post(length, '').replaceAll('\r\n', '\n') + json,
  'a bare LF before the body': `POST /v1/memories HTTP/1.1\r\n${base}Content-Length: 26\n\n${json}`,
  'a bare CR in a header': sized(`X-A: a\rContent-Length: 3\r\n${length}`),
  'NUL in a header': sized(`X-A: a\0b\r\n${length}`),
  'a space in a name': sized(`X A: b\r\n${length}`),
  'a header without a name': sized(`: b\r\n${length}`),
  'coding identity': sized('Transfer-Encoding: identity\r\n'),
  'coding identity, and a length': sized(`Transfer-Encoding: identity\r\n${length}`),
  'codings gzip and chunked': coded('Transfer-Encoding: gzip, chunked\r\n'),
  'codings chunked and gzip': coded('Transfer-Encoding: chunked, gzip\r\n'),
  'coding chunked twice in one header': coded('Transfer-Encoding: chunked, chunked\r\n'),
  'coding chunked in two headers': coded(`${chunked}${chunked}`),
  'codings chunked and identity in two headers': coded(`${chunked}Transfer-Encoding: identity\r\n`),
  'coding xchunked': coded('Transfer-Encoding: xchunked\r\n'),
  'coding chunked with a parameter': coded('Transfer-Encoding: chunked;q=1\r\n'),
  'coding chunked in quotes': coded('Transfer-Encoding: "chunked"\r\n'),
  'coding chunked behind a vertical tab': coded('Transfer-Encoding: \x0bchunked\r\n'),
  'an empty coding': coded('Transfer-Encoding: \r\n'),
  'chunks in HTTP/1.0': coded(chunked, 'POST /v1/memories HTTP/1.0\r\n'),
  'a negative chunk': chunks(`-1\r\n${json}\r\n0\r\n\r\n`),
  'a chunk size with 0x': chunks(`0x${size}\r\n${json}\r\n0\r\n\r\n`),
  'a chunk size and a space': chunks(`${size} \r\n${json}\r\n0\r\n\r\n`),
  'a space and a chunk size': chunks(` ${size}\r\n${json}\r\n0\r\n\r\n`),
  'no chunk size': chunks(`\r\n${json}\r\n0\r\n\r\n`),
  'a chunk size past 64 bits': chunks(`1000000000000001a\r\n${json}\r\n0\r\n\r\n`),
  'a bare LF after a chunk size': chunks(`${size}\n${json}\r\n0\r\n\r\n`),
  'a bare LF after a chunk': chunks(`${size}\r\n${json}\n0\r\n\r\n`),
  'a chunk that is longer than its size': chunks(`${size}\r\n${json}}\r\n0\r\n\r\n`),
  'a chunk that does not end': chunks(`${size}\r\n${json}0\r\n\r\n`),
  'a bare LF in a chunk extension': chunks(`${size};a\nb\r\n${json}\r\n0\r\n\r\n`),
  'a bare CR in a chunk extension': chunks(`${size};a\rb\r\n${json}\r\n0\r\n\r\n`),
  'a length among the trailers': chunks(`${size}\r\n${json}\r\n0\r\nContent-Length: 5\r\n\r\n`),
  'a folded trailer': chunks(`${size}\r\n${json}\r\n0\r\nX: a\r\n b\r\n\r\n`),
  'two hosts': sized(`Host: y\r\n${length}`),
  'two hosts in HTTP/1.0': sized(`host: x\r\n${length}`, 'POST /v1/memories HTTP/1.0\r\n'),
  'two authorizations': sized(`authorization: Bearer other\r\n${length}`),
  'more than 100 headers': sized(`${fields(97)}${length}`),
  'a request line with tabs': sized(length, 'POST\t/v1/memories\tHTTP/1.1\r\n'),
  'a space behind the version': sized(length, 'POST /v1/memories HTTP/1.1 \r\n'),
  'HTTP/2.0 in the request line': sized(length, 'POST /v1/memories HTTP/2.0\r\n'),
  'no version': 'GET /v1/hives\r\n\r\n',
};

const clear: Readonly<Record<string, string>> = {
  'a length': sized(length),
  'a length with zeros in front': sized('Content-Length: 0026\r\n'),
  chunks: coded(chunked),
  'a coding in capitals': coded('Transfer-Encoding: CHUNKED\r\n'),
  'a coding between spaces': coded('Transfer-Encoding: \tchunked \r\n'),
  'a chunk extension': chunks(`${size};a=b\r\n${json}\r\n0\r\n\r\n`),
  'many small chunks': chunks(`${[...json].map((c) => `1\r\n${c}\r\n`).join('')}0\r\n\r\n`),
  'empty lines in front': `\r\n\r\n${sized(length)}`,
  '100 headers': sized(`${fields(96)}${length}`),
};

describe('gateway: requests that could be read twice', () => {
  let gateway: TestGateway;
  let client: RawClient;
  before(async () => {
    gateway = await startGateway();
  });
  after(() => gateway.stop());
  beforeEach(() => {
    gateway.calls.length = 0;
    client = new RawClient(gateway.port);
  });
  afterEach(() => {
    client.destroy();
  });
  const made = (): number => gateway.calls.filter((call) => call.method === 'createMemory').length;

  for (const [name, bytes] of Object.entries(refused)) {
    it(`${name}: 400, and the connection ends`, async () => {
      const answer = await client.send(bytes + next).answer();
      expect(answer.status, answer.body).to.equal(400);
      expect((JSON.parse(answer.body) as Envelope).error).to.include({ code: 'VALIDATION_ERROR' });
      expect(answer.headers['connection']).to.equal('close');
      let second: RawAnswer | null = null;
      await client.answer().then(
        (more) => {
          second = more;
        },
        () => undefined,
      );
      expect(second, 'nothing is answered behind it').to.equal(null);
      await client.closed();
      expect(made()).to.equal(0);
    });
  }

  for (const [name, bytes] of Object.entries(clear)) {
    it(`${name}: read in the one way, and the next request is served`, async () => {
      expect((await client.send(bytes + next).answer()).status).to.equal(201);
      expect((await client.answer()).status).to.equal(200);
      expect(made()).to.equal(1);
      expect(gateway.calls.find((call) => call.method === 'createMemory')?.args[1]).to.deep.equal(JSON.parse(json));
    });
  }
});

describe('gateway: slow senders', () => {
  let gateway: TestGateway;
  before(async () => {
    gateway = await startGateway({ config: { requestTimeoutMs: 300 } });
  });
  after(() => gateway.stop());

  /** Sends `text` and then one more byte every 20 ms, until the server has had enough. */
  async function drip(text: string, byte: string): Promise<{ answer: RawAnswer | null; ms: number }> {
    const client = new RawClient(gateway.port);
    const began = Date.now();
    client.send(text);
    const timer = setInterval(() => client.send(byte), 20);
    const answer = await client.answer().catch(() => null);
    await client.closed();
    clearInterval(timer);
    return { answer, ms: Date.now() - began };
  }

  it('of headers are cut', async () => {
    const { answer, ms } = await drip('GET /v1/hives HTTP/1.1\r\nHost: x\r\nX-Slow: ', 'a');
    expect(answer?.status, 'told why, where it still listens').to.be.oneOf([400, undefined]);
    expect(ms).to.be.within(140, patient(5000));
  });
  it('of bodies are cut, and nothing has been done', async () => {
    const { answer, ms } = await drip(post('Content-Length: 1000\r\n', '{"content":"'), 'a');
    expect(answer?.status).to.be.oneOf([400, undefined]);
    expect(ms).to.be.within(290, patient(5000));
    expect(gateway.calls.map((call) => call.method)).not.to.include('createMemory');
  });
  it('of chunks too', async () => {
    const { ms } = await drip(chunks(''), '1\r\na\r\n');
    expect(ms).to.be.within(290, patient(5000));
    expect(gateway.calls.map((call) => call.method)).not.to.include('createMemory');
  });
  it('do not keep others from being served, and a request in time is', async () => {
    const slow = Array.from({ length: 20 }, () => new RawClient(gateway.port).send('GET / HTTP/1.1\r\n'));
    const client = new RawClient(gateway.port);
    expect((await client.send(next).answer()).status).to.equal(200);
    client.destroy();
    await Promise.all(slow.map((one) => one.closed()));
  });
});
