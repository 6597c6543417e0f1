/**
 * Ordinary talk with the built-in reasoner, over the real recall. The dialogues are in dialogues.txt, one after an
 * empty line each:
 *
 *   # what it shows, where what is said does not tell
 *   > what the client says, in the same session as before; `>>` in a new one
 *   = a memory that is stored by then, word for word; `=0` that none is
 *   ~ a part of the answer, whatever its case; `<` what stands behind that part, or not at all
 *   ! what is no part of it; `==` the whole answer
 *   + days that pass
 */
import { spawnAgent } from '../../../src/commands/agents.js';
import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { createBuiltIn } from '../../../src/reasoner/built-in/steps.js';
import { caller, skippingClock, testEngine, type TestEngine } from '../../helpers/engine.js';

interface Dialogue {
  title: string;
  lines: { mark: string; text: string }[];
}

const dialogues = readFileSync(new URL('dialogues.txt', import.meta.url), 'utf8')
  .split(/\n\s*\n/)
  .map((block): Dialogue => {
    const all = block.split('\n').filter((line) => line.trim() !== '');
    const lines = all
      .filter((line) => !line.startsWith('# '))
      .map((line) => {
        const mark = /^(?:>>?|==?0?|[~<!+])(?= |$)/.exec(line)?.[0];
        if (mark === undefined) throw new Error(`dialogues.txt: ${line}`);
        return { mark, text: line.slice(mark.length + 1) };
      });
    const said = lines.filter(({ mark }) => mark.startsWith('>')).map(({ text }) => text);
    return { title: all.find((line) => line.startsWith('# '))?.slice(2) ?? said.join(' / '), lines };
  });

describe('Dialogues with the built-in reasoner', () => {
  let e: TestEngine;
  const clock = skippingClock();
  const builtIn = createBuiltIn();
  before(async () => {
    e = await testEngine(undefined, (context, signal) => builtIn.next(context, signal), { clock });
  });
  after(() => e.engine.stop(0));

  it('are 150 at least', () => {
    expect(dialogues.length).to.be.at.least(150);
  });

  for (const { title, lines } of dialogues)
    it(title, async () => {
      const { service } = e.engine;
      const agent = (await service.execute(caller, spawnAgent, {}, { name: 'Scout' })).id;
      let sessionId: string | undefined;
      let answer = '';
      let part = '';
      const placeOf = (text: string): number => (answer.toLowerCase().split(text.toLowerCase())[0] ?? '').length;
      for (const { mark, text } of lines) {
        if (mark === '+') clock.skip(Number(text) * 24 * 3600_000);
        else if (mark.startsWith('>')) {
          const said = mark === '>>' || sessionId === undefined ? {} : { sessionId };
          const reply = await service.messageAgent(caller, agent, { content: text, ...said });
          ({ sessionId } = reply);
          answer = reply.response ?? '';
        } else if (mark === '~') expect(answer.toLowerCase(), (part = text)).to.contain(text.toLowerCase());
        else if (mark === '<') expect(placeOf(text), `${part} before ${text}`).to.be.greaterThan(placeOf(part));
        else if (mark === '!') expect(answer.toLowerCase(), text).not.to.contain(text.toLowerCase());
        else if (mark === '==') expect(answer).to.equal(text);
        else {
          const { items } = await service.listMemories(
            caller,
            { agent_id: agent },
            { sort: 'created_at', order: 'asc', limit: 100 },
          );
          const stored = items.map(({ content }) => content);
          if (mark === '=0') expect(stored).to.deep.equal([]);
          else expect(stored).to.include(text);
        }
      }
    });
});
