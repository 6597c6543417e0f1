/**
 * 100 stories of facts that change (src/domain/superseding.ts, src/domain/learning.ts). Each agent is told all themes
 * in one way, one change after the other, and then asked: the answer tells what is so now, and never what was.
 */
import { expect } from 'chai';
import { createBuiltIn } from '../../../src/reasoner/built-in.js';
import type { Reasoner } from '../../../src/reasoner/port.js';
import { caller, testEngine, type TestEngine } from '../../helpers/engine.js';
import { MemoryStore } from '../../helpers/memory-store.js';
import { type Theme, themes, type Way, ways } from './changed-facts-stories.js';

const builtIn: Reasoner['next'] = (context, signal) => createBuiltIn().next(context, signal);

describe('100 stories of facts that change', () => {
  let engine: TestEngine['engine'];
  before(async () => {
    ({ engine } = await testEngine(new MemoryStore(), builtIn));
  });
  after(() => engine.stop(0));

  const say = async (agent: string, content: string): Promise<string> =>
    (await engine.service.messageAgent(caller, agent, { content })).response ?? '';

  async function tell(agent_id: string, way: Way, statement: string, n: number, { question }: Theme): Promise<void> {
    const memory = { type: 'semantic', content: statement, agent_id };
    switch (way) {
      case 'stored':
        await engine.service.createMemory(caller, memory);
        return;
      case 'said':
        await say(agent_id, statement);
        return;
      case 'remembered':
        await say(agent_id, `Remember: ${statement}`);
        return;
      case 'keyed':
        await engine.service.createMemory(caller, {
          ...memory,
          content: `For all: ${statement}`,
          metadata: { key: question },
        });
        return;
      case 'mixed':
        await tell(agent_id, (['stored', 'said', 'remembered'] as const)[n % 3] ?? 'stored', statement, n, themes[0]!);
        return;
      default:
        way satisfies never;
    }
  }

  for (const way of ways)
    it(`told in this way: ${way}`, async () => {
      const { id } = await engine.service.spawnAgent(caller, { name: way });
      for (let n = 0; n < 3; n++)
        for (const theme of themes) {
          const told = theme.told[n];
          if (told) await tell(id, way, told[0], n, theme);
        }
      const wrong: string[] = [];
      for (const { question, told } of themes) {
        const answer = await say(id, question);
        const [now, ...before] = told.map(([, value]) => value).reverse();
        if (!answer.includes(now ?? '') || before.some((old) => answer.includes(old)))
          wrong.push(`${question} ${answer}`);
      }
      expect(wrong).to.deep.equal([]);
      expect(themes).to.have.length(20);
    });
});
