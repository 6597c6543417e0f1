/**
 * What a question of a run to another agent costs (`ask_agent`, docs/agents-together.md), durable, in one process over
 * the embedded store, beside mail between agents that wakes its reader, in turns. Models are scripted and take no time.
 */
import { spawnAgent } from '../src/commands/agents.js';
import type { ToolCall } from '../src/domain/model/model.js';
import type { Reasoner, StepProposal } from '../src/reasoner/port.js';
import { type Bench, percentile, type Row } from './harness.js';
import { caller, rate, withEngine } from './mailbox.bench.js';

const total = 2_000;
const agents = 50;
const rounds = 3;

const does = (call: ToolCall): StepProposal => ({ thoughts: [], calls: [call] });
/** "ask ID" asks that agent and answers with its answer, "mail ID" writes to it and answers; others answer at once. */
const scripted: Reasoner = {
  name: 'scripted',
  usesMemories: () => false,
  next({ run: { input }, transcript }): StepProposal {
    const [word = '', to = ''] = input.split(' ');
    if (word === 'ask' && transcript.length === 0)
      return does({ tool: 'ask_agent', arguments: { agent: to, question: 'how are you?' } });
    if (word === 'mail' && transcript.length === 0)
      return does({ tool: 'send_message', arguments: { agent: to, content: 'how are you?' } });
    return does({ tool: 'answer', arguments: { content: 'well' } });
  },
};

export const bench: Bench = {
  name: `questions between agents in one process, ${agents} agents, ${total} of each`,
  run: () =>
    withEngine(
      async ({ service }): Promise<Row[]> => {
        const ids: string[] = [];
        for (let i = 0; i < agents; i++)
          ids.push(
            (
              await service.execute(
                caller,
                spawnAgent,
                {},
                { name: `agent ${i}`, wake_on_message: true, config: { multi_step: true, max_parallel: 64 } },
              )
            ).id,
          );
        const alone: Record<string, number[]> = { say: [], ask: [], mail: [] };
        const rates: Record<string, number[]> = { say: [], ask: [], mail: [] };
        const send =
          (word: string) =>
          (i: number): Promise<unknown> =>
            service.messageAgent(caller, ids[i % agents] ?? '', {
              content: `${word} ${ids[(i * 7 + 1) % agents] ?? ''}`,
            });
        for (let round = 0; round <= rounds; round++)
          for (const word of ['say', 'ask', 'mail']) {
            const figure = await rate(total, 64, send(word));
            for (let i = 0; i < 200; i++) {
              const began = performance.now();
              await send(word)(i);
              if (round > 0) alone[word]?.push(performance.now() - began);
            }
            if (round > 0) rates[word]?.push(figure);
          }
        const middle = (word: string): number => percentile(rates[word] ?? [], 0.5);
        const ms = (word: string): string => `${percentile(alone[word] ?? [], 0.5).toFixed(2)} ms`;
        return [
          {
            what: 'runs that put one question and answer with its answer',
            figure: middle('ask'),
            unit: 'runs/s',
            baseline: {
              what: 'runs that send one message, which wakes its reader, and answer at once',
              figure: middle('mail'),
            },
            note: `runs that only answer ${Math.round(middle('say'))}/s; alone, from request to answer (p50): question ${ms('ask')}, mail ${ms('mail')}, neither ${ms('say')}`,
          },
        ];
      },
      600_000,
      () => scripted,
    ),
};
