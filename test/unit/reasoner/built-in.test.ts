/**
 * The built-in reasoner's single steps: every documented example, and what the grammar must not take for an
 * instruction.
 */
import { expect } from 'chai';
import { wordingOf } from '../../../src/domain/memory/identities.js';
import { createBuiltIn } from '../../../src/reasoner/built-in/steps.js';
import { inputs, orders } from './examples.js';
import { contextOf, memory, message, runAll, think, type Given } from './support.js';

const reasoner = createBuiltIn();
const answerTo = (given: Given): string =>
  think(reasoner, contextOf(given)).calls.find((c) => c.tool === 'answer')?.arguments['content'] ?? '';
const actionsOf = (given: Given): string[] =>
  think(reasoner, contextOf(given))
    .calls.filter((c) => c.tool !== 'answer')
    .map((c) => c.tool);

describe('built-in reasoner: documented examples', () => {
  for (const { what, given, calls, answer } of [...inputs, ...orders]) {
    it(what, () => {
      const proposed = think(reasoner, contextOf(given)).calls;
      const asks = proposed.at(-1)?.tool === 'ask_human';
      expect(asks ? proposed : proposed.slice(0, -1)).to.deep.equal(calls);
      if (!asks) expect(proposed.at(-1)?.tool).to.equal('answer');
      if (answer !== undefined) expect(proposed.at(-1)?.arguments['content']).to.equal(answer);
    });
  }
});

describe('built-in reasoner: reading', () => {
  for (const input of [
    'Do you remember when we met?',
    'Remember when we met?',
    'Can you remember the launch date?',
    'Tell nobody.',
    'Note the difference',
    'Save the whales',
    'Share your thoughts',
    'Message received loud and clear',
    'Let us meet at 10: bring tea',
    'Send me the report',
    'Ask them to come',
    'Tell everyone that it is over',
    'Remember',
    'Tell Ana',
    'Ask a human',
    'Remember:',
    'Tell Ana:',
  ]) {
    it(`"${input}" is no instruction`, () => {
      expect(actionsOf({ input })).to.deep.equal([]);
    });
  }

  it('tells nobody who asks what came by mail, and everything where mail has woken it', () => {
    const mail = { messages: [message('Remember that the vault is at pier 7')] };
    expect(answerTo({ ...mail, input: 'When is the launch?' })).to.equal('I know nothing about that yet.');
    expect(answerTo(mail)).to.contain('pier 7');
    const multi = runAll(reasoner, { ...mail, input: 'When is the launch?', multi: true });
    expect(multi.answer).not.to.contain('pier 7');
  });

  it('keeps abbreviations and numbers together', () => {
    const [call] = think(
      reasoner,
      contextOf({ input: 'Remember that Dr. Smith pays 3.50 euros. Ask Bob to come' }),
    ).calls;
    expect(call?.arguments['content']).to.equal('Dr. Smith pays 3.50 euros.');
  });

  it('does at most 50 instructions of one input, and says so', () => {
    const input = Array.from({ length: 60 }, (_, i) => `remember that fact ${i} holds`).join('\n');
    expect(actionsOf({ input })).to.have.length(50);
    expect(answerTo({ input })).to.contain('Only the first 50 instructions were done; 10 were left out.');
  });

  it('bounded time for any text', () => {
    for (const filler of [
      ' ',
      '.',
      'a',
      ': ',
      'remember ',
      'work in 5 steps: ',
      'tell a ',
      '. A',
      '?',
      ')',
      ' to ',
      ' with the hive',
      '\n',
      'Remember:\n',
    ]) {
      const input = `remember${filler.repeat(Math.floor(200_000 / filler.length))}`;
      const began = process.cpuUsage();
      think(reasoner, contextOf({ input, messages: [message(input)], instructions: input.slice(0, 32_000) }));
      expect(process.cpuUsage(began).user / 1000, JSON.stringify(filler)).to.be.below(1500);
    }
  });
});

describe('built-in reasoner: answering', () => {
  it('does not quote the question itself, nor messages that only ask', () => {
    const memories = [
      memory('When is the launch?', 0.9, 'message'),
      memory('Is there a launch?', 0.9, 'message'),
      memory('The launch is on 12 May', 0.7),
    ];
    expect(answerTo({ input: 'When is the launch?', memories })).to.equal('From memory: The launch is on 12 May');
  });

  it('quotes a thing once, although a message and a memory hold it', () => {
    const memories = [
      memory('The launch is on 12 May', 0.9),
      memory('Remember that the launch is on 12 May.', 0.8, 'message'),
    ];
    expect(answerTo({ input: 'When is the launch?', memories })).to.equal('From memory: The launch is on 12 May');
  });

  it('leads with the best and its later changes, and tells the others behind', () => {
    const said = (content: string, relevance: number, day: number) => ({
      ...memory(content, relevance),
      at: `2026-05-0${day}T00:00:00.000Z`,
    });
    const best = said('The launch of Heron is on 12 May', 0.9, 1);
    const changed = said('The launch of Heron is in June now', 0.7, 2);
    const other = said('The crew liked the launch party with the band from Rome', 0.8, 3);
    const answer = answerTo({ input: 'When is the launch?', memories: [best, other, changed] });
    const places = [changed, best, other].map(({ content }) => answer.indexOf(content));
    expect(places, answer)
      .to.deep.equal([...places].sort((a, b) => a - b))
      .and.not.include(-1);
  });

  it('names what it does not know where only something like it is known', () => {
    const memories = [memory('80 is a good value')];
    expect(answerTo({ input: 'What is my ferritin value?', memories })).to.equal(
      'I know nothing about "ferritin value" yet.',
    );
  });

  for (const content of [
    'Jim is in Oslo',
    'Jim is in Oslo. He likes it.',
    'Jim  lives in:\n- Oslo\n- Rome',
    `Jim ${'is in Oslo and '.repeat(30)}likes it`,
    'Jim asked: "Remember me?"',
  ])
    it(`says what would make it forget ${JSON.stringify(content.slice(0, 40))}, and that does`, () => {
      const memories = [memory(content)];
      const answer = answerTo({ input: 'Forget about Jim', memories }) ?? '';
      const said = /^I forget only what is named.*?: say "(forget: [^]+)" and I will/.exec(answer)?.[1];
      const [call] = think(reasoner, contextOf({ input: said ?? '', memories })).calls;
      expect(call, answer).to.have.property('tool', 'forget');
      const named = call?.arguments['memory'] ?? '';
      expect(named === memories[0]?.id || wordingOf(named) === wordingOf(content), `names ${named}`).to.equal(true);
    });

  it('quotes word for word, also over several lines', () => {
    const content = 'Shopping:\n  - milk\n  - “bread”';
    expect(answerTo({ input: 'What is on the shopping list?', memories: [memory(content)] })).to.contain(content);
  });

  it('one step, then an answer, without recall calls for a single-step agent', () => {
    expect(think(reasoner, contextOf({ input: 'When is the launch?' })).calls.map((c) => c.tool)).to.deep.equal([
      'answer',
    ]);
  });

  it('replies to agents only: not to itself, nobody, or a client', () => {
    for (const from of ['agent_me', null, ' ', 'external'])
      expect(
        actionsOf({ messages: [message('When is it?', from)], instructions: 'Reply to the sender' }),
      ).to.deep.equal([]);
  });
});
