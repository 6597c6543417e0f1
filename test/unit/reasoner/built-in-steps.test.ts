/** The built-in reasoner over several steps: built-in/steps.ts and built-in/items.ts. */
import { expect } from 'chai';
import type { ToolCall } from '../../../src/domain/model/model.js';
import { createBuiltIn } from '../../../src/reasoner/built-in/steps.js';
import { parseRequest } from '../../../src/reasoner/built-in/request.js';
import { contextOf, memory, message, runAll, think, type Ran } from './support.js';

const reasoner = createBuiltIn();
const tools = (ran: Ran): string[][] => ran.transcript.map((s) => s.map((c) => c.tool));
const knows = (c: ToolCall): { ok: boolean; result: string } => ({
  ok: true,
  result:
    c.tool === 'recall' ? 'The launch is on 12 May (relevance 0.80)\nThe launch\nis in Oslo (relevance 0.61)' : 'done',
});

describe('built-in reasoner: whether memories are looked up for a single step', () => {
  for (const [input, looks] of [
    ['When is the launch?', true],
    ['door code', true],
    ['Wie ist der Code für die Tür von meinem Haus?', true],
    ['发布会在什么时候举行，请告诉我地点', true],
    ['Ana finished with the boat last week, and it rained the whole time.', false],
    ['I moved to Oslo.', false],
    ['Say: hello', false],
  ] as const)
    it(`${looks ? 'for' : 'not for'} "${input}"`, () => {
      expect(reasoner.usesMemories?.(input)).to.equal(looks);
    });
});

describe('built-in reasoner: multi-step runs', () => {
  it('goal and plan, one thing a step, reflection and answer', () => {
    const ran = runAll(
      reasoner,
      { input: 'Remember that a is b. Tell Bob: hi\nWhen is the launch?', multi: true },
      knows,
    );
    expect(tools(ran)).to.deep.equal([['recall'], ['remember'], ['send_message'], ['recall'], ['answer']]);
    expect(ran.steps.map((s) => [...new Set(s.thoughts.map((t) => t.thoughtType))])).to.deep.equal([
      ['goal', 'recall'],
      ['insight', 'action'],
      ['result', 'action'],
      ['result', 'recall'],
      ['insight', 'reflection'],
    ]);
    expect(ran.answer).to.equal(
      'Remembered: a is b.\nWrote to Bob: hi\nWhen is the launch? From memory:\n- The launch is on 12 May\n- The launch\nis in Oslo',
    );
  });

  it('a lone question is recalled once, then answered', () => {
    const ran = runAll(reasoner, { input: 'When is the launch?', multi: true }, knows);
    expect(tools(ran)).to.deep.equal([['recall'], ['answer']]);
    expect(ran.answer).to.contain('- The launch is on 12 May');
  });

  for (const [maxSteps, expected] of [
    [1, [['remember', 'send_message', 'answer']]],
    [2, [['recall'], ['remember', 'send_message', 'answer']]],
    [3, [['recall'], ['remember', 'send_message'], ['answer']]],
  ] as const) {
    it(`fits its plan into ${maxSteps}`, () => {
      const ran = runAll(reasoner, { input: 'Remember that a is b. Tell Bob: hi', multi: true, maxSteps });
      expect(tools(ran)).to.deep.equal(expected);
    });
  }

  it('says what could not be done', () => {
    const ran = runAll(reasoner, { input: 'Tell Bob: hi', multi: true }, (c) =>
      c.tool === 'send_message' ? { ok: false, result: 'there is no agent "Bob"' } : knows(c),
    );
    expect(ran.answer).to.equal('I could not write to Bob "hi": there is no agent "Bob".');
  });

  it('does equal instructions as often as they were given', () => {
    const ran = runAll(reasoner, { input: 'Tell Bob: hi\nTell Bob: hi', multi: true });
    expect(tools(ran)).to.deep.equal([['recall'], ['send_message'], ['send_message'], ['answer']]);
  });

  it('works on messages in the step that takes them in, and tells of them at the end', () => {
    const ran = runAll(
      reasoner,
      {
        messages: [message('When is the launch?'), message('Remember that a is b')],
        memories: [memory('The launch is on 12 May')],
        instructions: 'Reply to the sender',
        multi: true,
      },
      knows,
    );
    expect(tools(ran)).to.deep.equal([['recall', 'send_message', 'remember', 'send_message'], ['answer']]);
    expect(ran.transcript[0]?.[1]?.arguments['content']).to.equal(
      'Re: When is the launch? — From memory: The launch is on 12 May',
    );
    expect(ran.answer)
      .to.contain('When is the launch? From memory:\n- The launch is on 12 May')
      .and.to.contain('Remembered: a is b');
  });
});

describe('built-in reasoner: steps on demand', () => {
  for (const input of [
    'Work in 5 steps: when is the launch?',
    'Think for five steps about the launch',
    'Please take 5 steps to tell Bob that the launch moved',
    'Work in 5 steps',
  ]) {
    it(`"${input}" takes five steps`, () => {
      const ran = runAll(reasoner, { input, multi: true });
      expect(ran.transcript).to.have.length(5);
      expect(ran.answer).to.be.a('string').and.not.equal('');
    });
  }

  it('as a standing order, for every run', () => {
    expect(
      runAll(reasoner, { input: 'hello', instructions: 'Work in 4 steps', multi: true }).transcript,
    ).to.have.length(4);
  });

  it('uses up a smaller budget without an answer, and goes on when resumed', () => {
    const given = { input: 'Work in 5 steps: tell Bob: hi', multi: true, maxSteps: 3 };
    const first = runAll(reasoner, given);
    expect(first.answer).to.equal(null);
    const rest = runAll(reasoner, given, undefined, {}, first);
    expect(rest.transcript).to.have.length(5);
    expect(rest.transcript.flat().filter((c) => c.tool === 'send_message')).to.have.length(1);
    expect(rest.answer).to.equal('Wrote to Bob: hi');
  });

  it('compresses a longer plan into the steps asked for', () => {
    expect(
      runAll(reasoner, {
        input: 'Work in 2 steps:\nremember that a is b\nremember that c is d\ntell Bob: hi',
        multi: true,
      }).transcript,
    ).to.have.length(2);
  });

  it('means nothing to a single-step agent', () => {
    expect(runAll(reasoner, { input: 'Work in 5 steps: say: pong' }).transcript).to.have.length(1);
  });
});

describe('built-in reasoner: humans', () => {
  it('uses the answer to its question, and goes on with the rest', () => {
    const ran = runAll(reasoner, { input: 'Ask a human whether we may ship\nTell Bob: ready' }, undefined, {
      onQuestion: () => 'only on Friday',
    });
    expect(tools(ran)).to.deep.equal([['ask_human'], ['send_message', 'answer']]);
    expect(ran.answer).to.equal(
      'I am writing to Bob: ready\nA human was asked "whether we may ship" and said: only on Friday',
    );
    expect(ran.steps[1]?.thoughts.map((t) => t.content)).to.include('A human answered: only on Friday');
  });

  it('after a rejected action does the rest, does not try again, and says so', () => {
    const ran = runAll(reasoner, { input: 'Tell Bob: hi\nRemember that a is b' }, undefined, {
      onCall: (c) => (c.tool === 'send_message' ? 'not him' : null),
    });
    expect(tools(ran)).to.deep.equal([['send_message'], ['remember', 'answer']]);
    expect(ran.answer).to.equal('A human did not let me write to Bob "hi" ("not him").\nI am remembering: a is b');
    expect(ran.steps[1]?.thoughts.map((t) => t.content)).to.include(
      'A human rejected that ("not him"): I change course.',
    );
  });

  it('follows instructions in the rejection', () => {
    const ran = runAll(reasoner, { input: 'Tell Bob: hi' }, undefined, {
      onCall: (c) => (c.arguments['to'] === 'Bob' ? 'Tell Carol: hi' : null),
    });
    expect(ran.transcript[1]?.[0]?.arguments).to.deep.equal({ to: 'Carol', content: 'hi' });
  });

  it('changes a rejected answer', () => {
    let seen = 0;
    const ran = runAll(
      reasoner,
      { input: 'When is the launch?', memories: [memory('The launch is on 12 May')] },
      undefined,
      { onCall: (c) => (c.tool === 'answer' && seen++ === 0 ? 'Say: no comment' : null) },
    );
    expect(ran.transcript[0]?.[0]?.arguments['content']).to.equal('From memory: The launch is on 12 May');
    expect(ran.answer)
      .to.contain('Changed, because a human rejected the last answer ("Say: no comment").')
      .and.to.contain('no comment');
  });

  for (const [said, answer] of [
    ['yes, go', 'From memory: x is now'],
    ['no, too early', 'A human did not want me to answer: no, too early'],
    ['x was yesterday', 'From memory: x is now\nA human says: x was yesterday'],
  ] as const) {
    it(`"ask a human before answering", and "${said}"`, () => {
      const ran = runAll(
        reasoner,
        { input: 'When is x?', memories: [memory('x is now')], instructions: 'Ask a human before answering' },
        undefined,
        { onQuestion: () => said },
      );
      expect(tools(ran)).to.deep.equal([['ask_human'], ['answer']]);
      expect(ran.answer).to.equal(answer);
    });
  }

  it('at the last step it cannot ask, and answers that', () => {
    expect(
      runAll(reasoner, {
        input: 'When is x?',
        memories: [memory('x is now')],
        instructions: 'Ask a human before answering',
        maxSteps: 1,
      }).answer,
    ).to.equal('I was to ask a human before answering, and no step was left for it.');
    expect(runAll(reasoner, { input: 'Ask a human whether x', maxSteps: 1 }).answer).to.equal(
      'No step was left to ask a human: whether x',
    );
  });

  it('takes what is said at a resume as further instructions', () => {
    const context = contextOf(
      { input: 'Tell Bob: hi' },
      {
        transcript: [[{ tool: 'send_message', arguments: { to: 'Bob', content: 'hi' }, ok: true, result: 'sent' }]],
        humanInputs: [{ step: 1, decision: null, input: 'Remember that a is b' }],
      },
    );
    expect(think(reasoner, context).calls.map((c) => c.tool)).to.deep.equal(['remember', 'answer']);
  });
});

describe('built-in reasoner: long inputs', () => {
  it('an input is parsed once a run, however many steps the run has', () => {
    const parsed: string[] = [];
    const counting = createBuiltIn((text) => {
      parsed.push(text);
      return parseRequest(text);
    });
    const input = 'Work in 30 steps: Remember that a is b. When is the launch?';
    const ran = runAll(counting, { input, multi: true, maxSteps: 40 }, knows);
    expect(ran.steps.length).to.be.greaterThan(20);
    expect(parsed).to.deep.equal([input]);
  });

  it('instructions are looked for in the first 1,000 sentences; what follows is plain text, and none of it is lost', () => {
    for (const filler of ['. ', 'Ab. ', '\n', 'Ab.\n', 'a? ']) {
      const text = `Remember that a is b.\n${filler.repeat(100_000)}\nTell Bob: hi\nthe very end`;
      const { units, unread, dropped } = parseRequest(text);
      expect(unread, JSON.stringify(filler)).to.equal(true);
      expect(units[0]).to.deep.equal({ kind: 'remember', text: 'a is b.', type: 'semantic' });
      expect(units.some((u) => u.kind === 'send')).to.equal(false);
      const said = units.map((u) => ('text' in u ? u.text : '')).join('');
      // of more than 50 questions it is said how many are left out, as ever
      if (dropped === 0) expect(said.endsWith('Tell Bob: hi\nthe very end'), JSON.stringify(filler)).to.equal(true);
      else expect(filler).to.equal('a? ');
      expect(units.length).to.be.lessThan(51);
    }
    expect(parseRequest('Ab. '.repeat(999)).unread).to.equal(false);
  });
});
