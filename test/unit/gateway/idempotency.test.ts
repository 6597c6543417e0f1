/** What two requests under one Idempotency-Key are compared by (gateway/http/idempotency.ts). */
import { expect } from 'chai';
import { idempotencyKeyNamed } from '../../../gateway/http/idempotency.js';
import type { Caller } from '../../../src/service.js';

const hash = (json: string, powers?: Caller['powers']): string =>
  idempotencyKeyNamed('k', { workspace: 'w', ...(powers && { powers }) } as Caller, '/v1/x', JSON.parse(json)).bodyHash;

describe('gateway: bodies of repeats', () => {
  for (const [a, b] of [
    ['{"a":1,"b":[{"c":"x","d":null}]}', ' { "b" : [ {"d":null, "c":"\\u0078"} ], "a" : 1.0 }'],
    ['{}', ' { } '],
    ['{"a":"\u00fc"}', '{"a":"\\u00fc"}'],
  ] as const)
    it(`are the same values in another spelling: ${b}`, () => {
      expect(hash(a)).to.equal(hash(b));
    });

  for (const [a, b] of [
    ['{"a":1}', '{"a":"1"}'],
    ['{"a":[]}', '{"a":{}}'],
    ['{"a":null}', '{}'],
    ['{"a":["x","y"]}', '{"a":["xy"]}'],
    ['{"a":[["x"],"y"]}', '{"a":[["x","y"]]}'],
    ['{"a":"b","c":"d"}', '{"a":"d","c":"b"}'],
    ['{"a":true}', '{"a":false}'],
    ['{"a":["x","y"]}', '{"a":["y","x"]}'],
  ] as const)
    it(`are not the same: ${a} and ${b}`, () => {
      expect(hash(a)).not.to.equal(hash(b));
    });

  it('are another request by credentials of other powers', () => {
    expect(hash('{}', ['memory:read'])).not.to.equal(hash('{}'));
  });
});
