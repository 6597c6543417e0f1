/** docs/reasoners.md has the prompts exactly as they are sent (src/reasoner/chat/prompt.ts). */
import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { messagesOf, systemOf } from '../../../src/reasoner/chat/prompt.js';
import { learnerSystem } from '../../../src/reasoner/chat/extract.js';
import { contextOf } from '../reasoner/support.js';

const doc = readFileSync(fileURLToPath(new URL('../../../docs/reasoners.md', import.meta.url)), 'utf8');

describe('The prompts in docs/reasoners.md', () => {
  it('are those that are sent', () => {
    const context = contextOf(
      {
        input: 'Where do we meet?',
        instructions: 'Be brief.',
        turns: [
          { role: 'user', content: 'Answer only in French.', at: '2026-11-22T11:58:00.000Z' },
          { role: 'agent', content: "D'accord.", at: '2026-11-22T11:58:02.000Z' },
        ],
        memories: [
          {
            id: 'mem_01m8frat4k20fd',
            type: 'semantic',
            content: 'We meet in Lyon',
            relevance: 1,
            at: '2026-11-20T09:00:00.000Z',
            speaker: 'Ana',
          },
          {
            id: 'mem_01m8frat3a3qan7',
            type: 'semantic',
            content: 'We meet in Paris',
            relevance: 1,
            at: '2026-11-03T09:00:00.000Z',
          },
        ],
      },
      {
        step: 2,
        transcript: [[{ tool: 'recall', arguments: { query: 'meet' }, ok: true, result: 'at noon (2026-11-21)' }]],
        asides: ['When is it?'],
      },
    );
    const messages = messagesOf(context).messages.map((message) => {
      const calls = 'tool_calls' in message ? (message.tool_calls ?? []) : [];
      const called = calls.map((call) =>
        call.type === 'function' ? `\n  calls ${call.function.name} ${call.function.arguments}` : '',
      );
      return `${message.role}: ${typeof message.content === 'string' ? message.content : ''}${called.join('')}`;
    });
    expect(doc).to.contain(`\`\`\`text\n${learnerSystem}\n\`\`\``);
    expect(doc).to.contain(`\`\`\`text\n${systemOf(context)}\n\`\`\``);
    expect(doc).to.contain(`\`\`\`text\n${messages.join('\n')}\n\`\`\``);
  });
});
