import { expect } from 'chai';
import { createLog, type Logger } from '../../../src/telemetry/pino-log.js';
import { prettyLine } from '../../../src/telemetry/pretty.js';
import { maskCredentials } from '../../../src/telemetry/redact.js';

function logging(format: 'json' | 'pretty' = 'json', level = 'info'): { log: Logger; lines: string[] } {
  const lines: string[] = [];
  return { log: createLog({ level, format, write: (line) => lines.push(line) }), lines };
}

describe('log', () => {
  it('writes one JSON object a line, with a level in words and a time in ISO 8601', () => {
    const { log, lines } = logging();
    log.info({ requestId: 'req_1' }, 'answered');
    const line = JSON.parse(lines[0]!) as Record<string, unknown>;
    expect(line).to.include({ level: 'info', msg: 'answered', requestId: 'req_1' });
    expect(line['time']).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  it('leaves out what is below its level', () => {
    const { log, lines } = logging('json', 'warn');
    log.info('no');
    log.warn('yes');
    expect(lines).to.have.length(1);
  });

  it('shows no credential: by field, at any of three depths, and by shape wherever it stands', () => {
    const { log, lines } = logging();
    const key = `svc_live_${'a1B2'.repeat(10)}`;
    const token = `at_${'Zz9'.repeat(14)}`;
    log.info(
      {
        authorization: 'Basic abc',
        headers: { authorization: 'Basic def' },
        request: { headers: { cookie: 'ghi' } },
        apiKey: 'jkl',
      },
      'by field',
    );
    log.info(
      { a: { b: { c: { d: key } } }, list: [token] },
      `by shape: ${key} and Bearer ${'x'.repeat(20)} and sk-${'y'.repeat(30)}`,
    );
    log.error({ err: new Error(`cannot use ${token}`) }, 'in an error');
    const all = lines.join('');
    for (const secret of ['abc', 'def', 'ghi', 'jkl', 'a1B2', 'Zz9', 'xxxx', 'yyyy'])
      expect(all, secret).not.to.include(secret);
    expect(all).to.include('svc_live_[redacted]').and.include('at_[redacted]');
  });

  it('keeps what only looks a little like a credential', () => {
    const line =
      '{"created_at":"2026-11-21T00:00:00.000Z","last_active_at":"2026-11-21T00:00:00.000Z","key":"key_01h8xyz0123456789","path":"/v1/agents/agent_01abcdefgh"}\n';
    expect(maskCredentials(line)).to.equal(line);
  });

  it('writes lines for people: time, level, message, fields, stack', () => {
    const { log, lines } = logging('pretty');
    log.warn({ agent: 'agent_1', n: 3 }, 'slow');
    log.error({ err: new Error('boom') }, 'failed');
    expect(lines[0]).to.match(/^\d\d:\d\d:\d\d\.\d{3} WARN {2}slow agent=agent_1 n=3\n$/);
    expect(lines[1]).to.match(/ERROR failed \n {2}Error: boom\n {6}at /);
  });

  it('passes on what is not a line of its own', () => {
    expect(prettyLine('not json\n', false)).to.equal('not json\n');
    expect(prettyLine('{"a":1}\n', false)).to.equal('{"a":1}\n');
  });
});
