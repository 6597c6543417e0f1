/**
 * The official Python clients of four releases against a running server whose streams beat every second (docs/api.md
 * 4.2), and whose cards are signed: the newest verifies them.
 */
import { expect } from 'chai';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../api/support/client.js';
import { pythonWith } from '../../helpers/python.js';
import { freePort } from '../../helpers/redis-service.js';
import { pythonCall, type PythonCall, type PythonEvent } from './support/python-sdk.js';
import { a2aWorld, onward } from './support/world.js';

const clients = [
  ['0.2.16', 'JSONRPC'],
  ['0.3.10', 'JSONRPC'],
  ['0.3.26', 'JSONRPC'],
  ['1.3.0', 'JSONRPC'],
  ['1.3.0', 'HTTP+JSON'],
] as const;

const folder = mkdtempSync(join(tmpdir(), 'hivekeep-card-'));
const world = a2aWorld(async () => {
  const port = await freePort(); // cards are signed for the public URL alone
  return {
    HIVEKEEP_HEARTBEAT_SECONDS: '1',
    HIVEKEEP_CARD_KEY_FILE: join(folder, 'card.pem'),
    HIVEKEEP_PORT: String(port),
    HIVEKEEP_PUBLIC_URL: `http://127.0.0.1:${port}`,
  };
});
const { api, thinking, think, asking } = world;
const patience = 20_000;
/** What the server told; a client of 0.3 also tells what it has put together. */
const told = ({ events }: PythonCall): PythonEvent[] => events.filter(({ kind }) => kind !== 'whole');

describe('A2A: the official Python clients', function () {
  this.timeout(60_000);
  world.hooks();
  after(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  for (const [release, binding] of clients)
    describe(`a2a-sdk ${release} over ${binding}`, () => {
      let python = '';
      const calls: PythonCall[] = [];
      before(async function () {
        this.timeout(300_000);
        const found = await pythonWith(release === '1.3.0' ? 'a2a-sdk[signing]' : 'a2a-sdk', release);
        if ('missing' in found) {
          process.stderr.write(`skipped: ${found.missing}\n`);
          this.skip();
        }
        python = found.python;
      });
      afterEach(() => {
        for (const call of calls.splice(0)) call.kill();
      });

      const called = (agent: string, ...args: string[]): PythonCall => {
        const call = pythonCall(python, binding, `${world.server().url}/api/v1/a2a/agents/${agent}`, api.key, ...args);
        calls.push(call);
        return call;
      };
      const seen = (call: PythonCall, wanted: (event: PythonEvent) => boolean): Promise<PythonEvent | undefined> =>
        until(
          async () => call.events.find(wanted),
          (found) => found !== undefined,
          patience,
        );
      const beats = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 2500));

      it('streams through heartbeats, from the task to its artifact and end', async () => {
        const call = called(await thinking(), 'stream', 'think about it');
        await seen(call, ({ kind }) => kind === 'task');
        await asking();
        await beats();
        await think(onward);
        await think({ text: 'forty-two' });
        expect(await call.end).to.equal(null);
        expect(call.events[0]).to.include({ kind: 'task', state: 'working' });
        const events = told(call);
        expect(events.at(-2)).to.include({ kind: 'artifact', text: 'forty-two' });
        expect(events.at(-1)).to.include({ kind: 'status', state: 'completed' });
      });

      it('shows an answer as it is written, and has it once at the end', async () => {
        const call = called(await thinking(), 'stream', 'think about it');
        const shown = (): string =>
          call.events
            .filter(({ kind }) => kind === 'artifact')
            .reduce((text, { append, text: more }) => (append ? text + (more ?? '') : (more ?? '')), '');
        const shows = (text: string): Promise<string> =>
          until(
            async () => shown(),
            (now) => now === text,
            patience,
          );
        await asking();
        world.thinker().write('I look it ');
        await shows('I look it ');
        world.thinker().write('up.');
        await shows('I look it up.');
        await think(onward);
        await asking();
        world.thinker().write('Forty-');
        await shows('Forty-');
        await think({ text: 'two.' });
        expect(await call.end).to.equal(null);
        expect(shown()).to.equal('Forty-two.');
        expect(call.events.findLast(({ kind }) => kind === 'artifact')).to.include({ append: false, last: true });
        const whole = call.events.findLast(({ kind }) => kind === 'whole');
        if (release.startsWith('0.3.')) expect(whole).to.include({ text: 'Forty-two.', artifacts: 1 });
      });

      it('keeps a context of its own making', async () => {
        const own = `conversation-of-${release}`;
        const call = called(await world.quick(), 'stream', 'hello', own);
        expect(await call.end).to.equal(null);
        expect(told(call).at(-1)).to.include({ kind: 'status', state: 'completed' });
        for (const { context } of call.events) expect(context).to.equal(own);
      });

      it('comes to the end of a stream when the agent asks something', async () => {
        const call = called(await thinking(), 'stream', 'which one?');
        await think({ tool: 'ask_human', arguments: { question: 'Red or blue?' } });
        expect(await call.end).to.equal(null);
        expect(call.events.at(-1)).to.include({ kind: 'status', state: 'input-required', text: 'Red or blue?' });
      });

      if (release !== '0.2.16')
        it('comes back to a task, and follows it through heartbeats to its end', async () => {
          const agent = await thinking();
          const first = called(agent, 'stream', 'think about it');
          const task = await seen(first, ({ kind }) => kind === 'task');
          await asking();
          first.kill();
          const again = called(agent, 'resubscribe', task?.id ?? '');
          await seen(again, ({ kind }) => kind === 'task');
          await beats();
          await think({ text: 'forty-two' });
          expect(await again.end).to.equal(null);
          expect(again.events[0]).to.include({ kind: 'task', id: task?.id, state: 'working' });
          expect(told(again).at(-1)).to.include({ kind: 'status', state: 'completed' });
        });
    });
});
