import { expect } from 'chai';
import { createSocket, type Socket } from 'node:dgram';
import { systemResolver, type Resolve } from '../../../src/push/resolver.js';
import { patient } from '../../helpers/patience.js';

const typeA = 1;
const typeAaaa = 28;
const nameError = 3;

/** The answer to a question with one record, or with an error where there is none. */
function answerTo(question: Buffer, record: Buffer | null, type: number, code: number): Buffer {
  const header = Buffer.from(question.subarray(0, 12));
  header.writeUInt16BE(0x8180 | code, 2);
  header.writeUInt16BE(record ? 1 : 0, 6);
  header.writeUInt16BE(0, 10); // no additional records
  const asked = question.subarray(12, question.indexOf(0, 12) + 5);
  if (!record) return Buffer.concat([header, asked]);
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc00c, 0); // the name of the question
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(record.length, 10);
  return Buffer.concat([header, asked, head, record]);
}

/** A name server that knows v4.example (A), v6.example (AAAA) and is silent about silent.example. */
function startNameServer(): Promise<{ socket: Socket; server: string }> {
  const socket = createSocket('udp4');
  socket.on('message', (question, from) => {
    const end = question.indexOf(0, 12);
    const name = question
      .subarray(13, end)
      .toString('latin1')
      .replace(/[\0-\x1f]/g, '.');
    const type = question.readUInt16BE(end + 1);
    if (name === 'silent.example') return;
    const record =
      name === 'v4.example' && type === typeA
        ? Buffer.from([93, 184, 216, 34])
        : name === 'v6.example' && type === typeAaaa
          ? Buffer.from('26064700000000000000000000001111', 'hex')
          : null;
    socket.send(answerTo(question, record, type, name.startsWith('v') ? 0 : nameError), from.port, from.address);
  });
  return new Promise((resolve) => {
    socket.bind(0, '127.0.0.1', () => {
      resolve({ socket, server: `127.0.0.1:${socket.address().port}` });
    });
  });
}

describe('push: names to addresses', () => {
  let socket: Socket;
  let resolve: Resolve;
  before(async () => {
    const started = await startNameServer();
    socket = started.socket;
    resolve = systemResolver({ timeoutMs: 200, tries: 1, servers: [started.server] });
  });
  after(() => {
    socket.close();
  });

  it('takes addresses of one family where a name has no other', async () => {
    expect(await resolve('v4.example', false)).to.deep.equal([{ address: '93.184.216.34', family: 4 }]);
    expect(await resolve('v6.example', false)).to.deep.equal([{ address: '2606:4700::1111', family: 6 }]);
  });

  it('rejects for a name that does not exist, and for a server that does not answer in time', async () => {
    const codeOf = async (host: string): Promise<unknown> =>
      resolve(host, false).then(
        () => 'resolved',
        (e: unknown) => (e as { code: string }).code,
      );
    expect(await codeOf('none.example')).to.equal('ENOTFOUND');
    const began = performance.now();
    expect(await codeOf('silent.example')).to.equal('ETIMEOUT');
    expect(performance.now() - began).to.be.within(150, patient(3000));
  });

  it('finds allowlisted hosts in the hosts file, where others are not looked for', async () => {
    const found = (await resolve('localhost', true)).map((a) => a.address);
    expect(
      found.some((a) => a === '127.0.0.1' || a === '::1'),
      found.join(),
    ).to.equal(true);
    expect(
      await resolve('localhost', false).then(
        () => 'resolved',
        () => 'rejected',
      ),
    ).to.equal('rejected');
  });
});
