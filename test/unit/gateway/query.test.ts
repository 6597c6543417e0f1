import { expect } from 'chai';
import fc from 'fast-check';
import { parseOwnQuery, parseQueryString } from '../../../gateway/http/query.js';
import { clientRequestId, requestIdSource } from '../../../gateway/http/head.js';
import { needsCredential, withVersion } from '../../../gateway/auth/bearer.js';
import { HivekeepError } from '../../../src/domain/shared/errors.js';

const known = new Set(['a', 'b']);

describe('parseQuery', () => {
  it('reads what URLSearchParams writes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (a, other) => {
        const written = new URLSearchParams([
          ['x', other],
          ['a', a],
        ]).toString();
        expect([...parseQueryString(`/v1/x?${written}`, known)]).to.deep.equal([['a', a]]);
      }),
    );
  });
  it('never throws anything but VALIDATION_ERROR', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', 'b', '=', '&', '%', '?', '#', '+', '2', 'f', 'z') }),
        (text) => {
          try {
            parseQueryString(`/?${text}`, known);
          } catch (error) {
            expect((error as HivekeepError).code).to.equal('VALIDATION_ERROR');
          }
        },
      ),
      { numRuns: 500 },
    );
  });
  it('takes a name once, a name without a value as empty, and nothing behind a fragment', () => {
    expect(() => parseQueryString('/?a=1&a=1', known)).to.throw(HivekeepError, 'a: must be given once');
    expect(() => parseQueryString('/?a=1&%61=1', known)).to.throw(HivekeepError, 'a: must be given once');
    expect([...parseQueryString('/?a', known)]).to.deep.equal([['a', '']]);
    expect([...parseQueryString('/?b=x=y#&a=1', known)]).to.deep.equal([['b', 'x=y']]);
    for (const none of ['/', '/?', '/?&', '/?c=1']) expect(parseQueryString(none, known).size).to.equal(0);
  });
  it('names what was meant by a name that the route does not know, and never its value', () => {
    const names = new Set(['agent_id', 'type', 'page_size']);
    const message = (query: string): string => {
      try {
        parseOwnQuery(`/v1/x?${query}`, names);
        return 'taken';
      } catch (error) {
        return (error as Error).message;
      }
    };
    for (const typed of ['agentid', 'agentId', 'agent-id', 'Agent_id'])
      expect(message(`${typed}=secret`)).to.include(
        `${typed}: is not a query parameter of this route; did you mean agent_id?`,
      );
    expect(message('xyzzy=secret')).to.include('it takes agent_id, type, page_size').and.not.include('secret');
    expect(message(`${'x'.repeat(10_000)}=1`)).to.have.length.below(300);
    for (const nameless of ['=1', '%ff=1']) expect(message(nameless)).to.match(/^query: /); // and not the body
    for (const fine of ['', '&', 'type=a&', 'type=a&agent_id=b']) expect(message(fine)).to.equal('taken');
  });
});

describe('versions of targets', () => {
  it('knows what is under /v1', () => {
    expect(
      [
        '/v1',
        '/v1/',
        '/v1?x',
        '/v1/agents',
        '/v1x',
        '/v2/',
        '/',
        '/x/v1/',
        '/api/v1',
        '/api/v1?x',
        '/api/v1/a2a/agents/x',
        '/api/v1x',
        '/api/v2/',
        '/api',
      ].map(needsCredential),
    ).to.deep.equal([true, true, true, true, false, false, false, false, true, true, true, false, false, false]);
  });
  it('adds a version where none is named', () => {
    expect(withVersion('/agents?x=1', 'v1')).to.equal('/v1/agents?x=1');
    expect(withVersion('/agents', undefined)).to.equal('/agents');
    for (const kept of [
      '/v1/agents',
      '/v2',
      '/v22/x',
      '/metrics',
      '/api/v1/a2a/agents/x',
      '/.well-known/jwks.json',
      '/',
      '/?x=1',
      '*',
    ])
      expect(withVersion(kept, 'nonsense')).to.equal(kept);
    expect(withVersion('/v1x', 'v1')).to.equal('/v1/v1x');
  });
});

describe('request ids', () => {
  it('start with req_, have 100 random bits and differ, across blocks too', () => {
    let seed = 0;
    const next = requestIdSource((n) =>
      Uint8Array.from({ length: n }, () => (seed = (seed * 1103515245 + 12345) % 2 ** 31) >> 16),
    );
    const ids = Array.from({ length: 1000 }, next);
    for (const id of ids) expect(id).to.match(/^req_[0-9a-hjkmnp-tv-z]{20}$/);
    expect(new Set(ids).size).to.equal(1000);
  });
  it('echo only what is visible ASCII and short', () => {
    expect(
      ['a', 'x'.repeat(128), 'x'.repeat(129), '', 'a b', 'a\tb', '\u00e9', undefined].map(clientRequestId),
    ).to.deep.equal(['a', 'x'.repeat(128), null, null, null, null, null, null]);
  });
});
