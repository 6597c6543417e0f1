/** What a start tells people (gateway/main/start-lines.ts). */
import { expect } from 'chai';
import { loadConfig } from '../../../src/config/config.js';
import { printStarted } from '../../../gateway/main/start-lines.js';

const url = 'http://127.0.0.1:8420';

describe('the lines of a start', () => {
  const printed = (
    environment: Record<string, string>,
    firstKey: Parameters<typeof printStarted>[3],
    code?: string,
  ): string => {
    const lines: string[] = [];
    const io = { out: (line: string) => lines.push(line) } as unknown as Parameters<typeof printStarted>[1];
    printStarted(loadConfig(environment, true), io, url, firstKey, code);
    return lines.join('\n');
  };

  it('the first one shows a command that works, and where the API is described', () => {
    const text = printed({}, { shown: 'svc_live_first', file: null });
    expect(text).to.include('Bearer svc_live_first').and.include(`${url}/docs`);
  });

  it('a later one suggests no new key, and still names /docs', () => {
    const text = printed({}, null);
    expect(text).not.to.include('key create');
    expect(text).to.include(`${url}/docs`).and.include('serves on');
  });

  it('names the public URL where there is one, and nothing of /docs for a worker', () => {
    expect(printed({ HIVEKEEP_PUBLIC_URL: 'https://hive.example/base' }, null)).to.include(
      'https://hive.example/base/docs',
    );
    const worker = printed(
      { HIVEKEEP_ROLE: 'worker', HIVEKEEP_MONGODB_URL: 'mongodb://x/y', HIVEKEEP_REDIS_URL: 'redis://x' },
      null,
    );
    expect(worker).not.to.include('/docs');
  });

  it('names the console, with a one-time link where there is a code', () => {
    expect(printed({}, null)).to.include(`The console is on ${url}/console`);
    const text = printed({}, null, 'the-code');
    expect(text).to.include(`${url}/console#code=the-code\n`).and.include('12 hours').and.include('60 seconds');
  });

  it('keeps the code of the link out of lines for machines', () => {
    const text = printed({ HIVEKEEP_LOG_FORMAT: 'json' }, null, 'the-code');
    expect(text).to.include(`"console":"${url}/console"`).and.not.include('the-code');
  });

  it('says the same for machines', () => {
    const lines = printed({ HIVEKEEP_LOG_FORMAT: 'json' }, null).split('\n');
    expect(JSON.parse(lines.at(-1) ?? '')).to.include({ event: 'ready', url, docs: `${url}/docs` });
  });
});
