import { expect } from 'chai';
import fc from 'fast-check';
import { encodeFrame } from '../../../gateway/streams/sse.js';
import { readQuery } from '../../../gateway/http/query.js';
import { eventQuery, workspaceFrame } from '../../../gateway/streams/events.js';
import type { WorkspaceEvent } from '../../../src/domain/model/model.js';
import { change } from '../bus/support.js';

/** All that Python's `splitlines` ends a line at. */
const lineEnds = /\r\n|[\n\v\f\r\x1c-\x1e\u0085\u2028\u2029]/;

const eventFilter = (target: string): ((event: WorkspaceEvent) => boolean) => {
  const frameOf = workspaceFrame(readQuery(target, eventQuery));
  return (event) => frameOf(event) !== null;
};

describe('frames of server-sent events', () => {
  it('have id, event and one line of data', () => {
    expect(encodeFrame({ id: '7', event: 'status', data: { a: 1 } })).to.equal(
      'id: 7\nevent: status\ndata: {"a":1}\n\n',
    );
    expect(encodeFrame({ event: 'status', data: null })).to.equal('event: status\ndata: null\n\n');
    expect(encodeFrame({ id: '7', data: 1 })).to.equal('id: 7\ndata: 1\n\n');
  });

  it('whatever the data, a frame is one event and gives the data back', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.json().map((j) => JSON.parse(j) as unknown),
          fc.string({ unit: fc.constantFrom('\r', '\n', '\0', '\u0085', '\u2028', '\u2029', ':', 'a', '\ud800') }),
        ),
        (data) => {
          const lines = encodeFrame({ id: '1', event: 'x', data }).split(lineEnds);
          expect(lines.length).to.equal(5);
          expect(JSON.parse(lines[2]!.slice('data: '.length))).to.deep.equal(JSON.parse(JSON.stringify(data)));
        },
      ),
    );
  });

  it('refuses an id or name that would break the frame, and data that is not JSON', () => {
    for (const bad of ['a\nb', 'a\rb', 'a\0b']) {
      expect(() => encodeFrame({ id: bad, event: 'x', data: 1 })).to.throw(TypeError);
      expect(() => encodeFrame({ event: bad, data: 1 })).to.throw(TypeError);
    }
    expect(() => encodeFrame({ event: 'x', data: undefined })).to.throw(TypeError);
  });
});

describe('the filter of /v1/events', () => {
  const run = { ...change(1, 'run.status'), data: { id: 'run_1', agent_id: 'agent_1' } };
  const agent = { ...change(1, 'agent.updated'), data: { agent_id: 'agent_1' } };
  it('passes everything by default', () => {
    for (const target of ['/v1/events', '/v1/events?'])
      expect([run, agent].filter(eventFilter(target))).to.have.length(2);
  });
  it('refuses a name that it does not know', () => {
    expect(() => eventFilter('/v1/events?type=agent')).to.throw('did you mean types?');
  });
  it('by type and by what types begin with', () => {
    expect([run, agent].filter(eventFilter('/v1/events?types=run'))).to.deep.equal([run]);
    expect([run, agent].filter(eventFilter('/v1/events?types=memory,agent.updated'))).to.deep.equal([agent]);
    expect([run, agent].filter(eventFilter('/v1/events?types=run.stat'))).to.deep.equal([]);
  });
  it('by agent', () => {
    expect([run, agent, change(1)].filter(eventFilter('/v1/events?agent_id=agent_1'))).to.deep.equal([run, agent]);
    expect([run, agent].filter(eventFilter('/v1/events?agent_id=agent_1&types=run'))).to.deep.equal([run]);
  });
  it('a malformed one is an error', () => {
    for (const query of ['types=', 'types=a,', 'types=A', 'types=a&types=b', 'agent_id=', 'agent_id=a&agent_id=b'])
      expect(() => eventFilter(`/v1/events?${query}`), query)
        .to.throw()
        .with.property('code', 'VALIDATION_ERROR');
  });
});
