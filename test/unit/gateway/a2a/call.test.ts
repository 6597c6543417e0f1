/** Reading a JSON-RPC request. */
import { expect } from 'chai';
import fc from 'fast-check';
import { methods } from '../../../../src/a2a/methods.js';
import { RpcError } from '../../../../src/a2a/rpc.js';
import { HivekeepError } from '../../../../src/domain/shared/errors.js';
import { readRequest, RpcCall, versionOfErrors, type RpcRequest } from '../../../../gateway/a2a/binding.js';
import { lastSeen } from '../../../../gateway/a2a/task-stream.js';

interface Read {
  call: RpcCall;
  request: RpcRequest | null;
  error: unknown;
}

function read(body: Buffer | string, version?: string, authorize: () => void = () => undefined): Read {
  const call = new RpcCall(versionOfErrors(version));
  try {
    return { call, request: readRequest(call, Buffer.from(body), version, authorize), error: null };
  } catch (error) {
    return { call, request: null, error };
  }
}
const good = { jsonrpc: '2.0', id: 1, method: 'tasks/get', params: { id: 'x' } };
const reasonOf = (error: unknown): string => (error instanceof RpcError ? error.reason : String(error));

describe('A2A: reading a request', () => {
  it('whatever the bytes, it is a request or an RpcError', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
          fc.json().map((json) => Buffer.from(json)),
        ),
        (body) => {
          const { request, error } = read(body);
          if (request === null) expect(error).to.be.instanceOf(RpcError);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('whatever the fields, each wrong one has its reason, and the first that is wrong wins', () => {
    const field = <T>(right: T) =>
      fc.oneof({ weight: 3, arbitrary: fc.constant(right) }, fc.constant(undefined), fc.jsonValue({ maxDepth: 1 }));
    fc.assert(
      fc.property(field<unknown>('2.0'), field<unknown>(7), field<unknown>('tasks/get'), (jsonrpc, id, method) => {
        const { call, request, error } = read(JSON.stringify({ jsonrpc, id, method, params: {} }));
        const exact = typeof id === 'number' && (Number.isSafeInteger(id) || !Number.isInteger(id));
        const fit = id === undefined || id === null || typeof id === 'string' || exact;
        expect(call.id).to.equal(fit && id !== undefined ? id : null);
        expect(call.notification).to.equal(id === undefined);
        const wanted =
          !fit || jsonrpc !== '2.0' || typeof method !== 'string'
            ? 'INVALID_REQUEST'
            : methods.has(method)
              ? null
              : 'METHOD_NOT_FOUND';
        if (wanted === null) expect(request?.params).to.deep.equal({});
        // text that cannot be stored is looked for last
        else expect(reasonOf(error)).to.equal(wanted);
      }),
      { numRuns: 500 },
    );
  });

  it("2: errors are in the header's version until the method tells the dialect", () => {
    const versionAfter = (method: string, header?: string): string =>
      read(JSON.stringify({ ...good, method }), header).call.version;
    expect(
      [undefined, '', '0.2', '0.3', '0.3.0', '1.0', '9.9'].map((header) => versionAfter('nope', header)),
    ).to.deep.equal(['0.3', '0.3', '0.2', '0.3', '0.3', '1.0', '1.0']);
    expect([undefined, '0.2', '1.0', '9.9'].map((header) => versionAfter('tasks/get', header))).to.deep.equal([
      '0.3',
      '0.2',
      '0.3',
      '0.3',
    ]);
    expect([undefined, '0.2', '1.0', '9.9'].map((header) => versionAfter('GetTask', header))).to.deep.equal([
      '1.0',
      '1.0',
      '1.0',
      '1.0',
    ]);
  });

  it('3: version before scope, scope before text that cannot be stored', () => {
    const refusal = new HivekeepError('INSUFFICIENT_SCOPE', 'no');
    const refuse = (): never => {
      throw refusal;
    };
    const bad = JSON.stringify({ ...good, params: { id: 'a\0' } });
    expect(reasonOf(read(bad, '9.9', refuse).error)).to.equal('VERSION_NOT_SUPPORTED');
    expect(read(bad, undefined, refuse).error).to.equal(refusal);
    const { error, call } = read(bad);
    expect(error).to.be.instanceOf(RpcError).and.include({ reason: 'INVALID_PARAMS' });
    expect((error as RpcError).violations).to.deep.equal([{ path: 'id', message: 'must not contain NUL' }]);
    expect(call.id).to.equal(1);
    expect(
      read(JSON.stringify({ ...good, method: 'nope' }), undefined, () => expect.fail('asked')).error,
    ).to.be.instanceOf(RpcError);
  });

  it('every method is read in its own dialect', () => {
    for (const [method, { operation, dialect }] of methods) {
      const { request } = read(JSON.stringify({ ...good, method }));
      expect([request?.operation, request?.codec.version]).to.deep.equal([
        operation,
        dialect === 'pascal' ? '1.0' : '0.3',
      ]);
    }
  });

  it('Last-Event-ID is the number of an event, 0 for none, or not there', () => {
    expect([undefined, '', '0', '1', '42', '999999999999999'].map(lastSeen)).to.deep.equal([
      null,
      null,
      0,
      1,
      42,
      999999999999999,
    ]);
    for (const bad of ['00', '-1', '1.0', ' 1', '01', '1e3', 'x', '1, 2', '1'.repeat(16), ['1']])
      expect(() => lastSeen(bad), String(bad))
        .to.throw(RpcError)
        .with.property('reason', 'INVALID_PARAMS');
  });
});
