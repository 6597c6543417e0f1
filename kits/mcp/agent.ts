/** The agent that the conformance kit of MCP gives work to: its input says what it does. */
import { setTimeout as pause } from 'node:timers/promises';
import { type Reasoner, ReasonerError, type StepProposal } from '../../src/reasoner/port.js';

const answer = (content: string): StepProposal => ({
  thoughts: [],
  calls: [{ tool: 'answer', arguments: { content } }],
});

export const kitAgent: Reasoner = {
  name: 'scripted',
  async next({ run: { input }, humanInputs }, signal) {
    const [what, argument = ''] = input.split(' ');
    await pause(what === 'sleep' ? Number(argument) * 1000 : 300, undefined, { signal });
    if (what === 'fail') throw new ReasonerError('refused', 'This job always fails.');
    const said = humanInputs.at(-1)?.input;
    if (what === 'ask' && said === undefined)
      return { thoughts: [], calls: [{ tool: 'ask_human', arguments: { question: 'Delete it?' } }] };
    return answer(what === 'greet' ? `Hello, ${argument}!` : `Done: ${said ?? input}`);
  },
};
