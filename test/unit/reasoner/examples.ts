/** The examples of docs/reasoners.md as a table: what is documented is what is tested. */
import type { ToolCall } from '../../../src/domain/model/model.js';
import { memory, message, type Given } from './support.js';

/** What it shows, what is given (the input alone, or more), the calls that follow, and the answer where it matters. */
type Row = readonly [what: string, given: Given | string, calls: readonly ToolCall[], answer?: string];

const remember = (content: string, type = 'semantic'): ToolCall => ({ tool: 'remember', arguments: { content, type } });
const send = (to: string, content: string): ToolCall => ({ tool: 'send_message', arguments: { to, content } });
const share = (hive_id: string, content: string): ToolCall => ({
  tool: 'share_with_hive',
  arguments: { content, type: 'semantic', hive_id },
});
const ask = (question: string): ToolCall => ({ tool: 'ask_human', arguments: { question } });
const launch = [memory('The launch is on 12 May')];

const inputRows: readonly Row[] = [
  ['a question', { input: 'When is the launch?', memories: launch }, [], 'From memory: The launch is on 12 May'],
  [
    'a question, several memories',
    {
      input: 'What do you know about Ana?',
      memories: [memory('Ana is in Rome', 0.8), memory('Ana likes tea', 0.7), memory('Bob is tall', 0.1)],
    },
    [],
    'From memory:\n- Ana is in Rome\n- Ana likes tea',
  ],
  ['a question, nothing known', 'When is the launch?', [], 'I know nothing about that yet.'],
  ['recall', { input: 'Recall the launch date', memories: launch }, [], 'From memory: The launch is on 12 May'],
  ['tell me', { input: 'Tell me about the launch', memories: launch }, [], 'From memory: The launch is on 12 May'],
  [
    'two questions',
    {
      input: 'When is the launch? Where is Bob?',
      memories: [memory('The launch is on 12 May'), memory('Bob is in Oslo', 0.6)],
    },
    [],
    'When is the launch? From memory: The launch is on 12 May\nWhere is Bob? From memory: Bob is in Oslo',
  ],
  [
    'remember that',
    'Remember that the launch is on 12 May.',
    [remember('the launch is on 12 May.')],
    'I am remembering: the launch is on 12 May.',
  ],
  [
    'please note',
    'Please note: the door code is 4711',
    [remember('the door code is 4711')],
    'I am remembering: the door code is 4711',
  ],
  [
    'do not forget',
    "Don't forget that Ana is allergic to nuts",
    [remember('Ana is allergic to nuts')],
    'I am remembering: Ana is allergic to nuts',
  ],
  [
    'remember, as a question',
    'Can you remember my birthday is on 3 May?',
    [remember('my birthday is on 3 May')],
    'I am remembering: my birthday is on 3 May',
  ],
  [
    'remember with a type',
    'Remember as procedural: stop the pump, then open the valve',
    [remember('stop the pump, then open the valve', 'procedural')],
    'I am remembering: stop the pump, then open the valve',
  ],
  [
    'correct',
    'Correct that the flight to Rome is at 8 to the flight to Rome is at 9.',
    [
      {
        tool: 'update_memory',
        arguments: { memory: 'the flight to Rome is at 8', content: 'the flight to Rome is at 9.' },
      },
    ],
  ],
  ['correct, without the whole statement', 'Correct that the gate is B2 to C3', []],
  [
    'remember two things',
    'Remember two things: the gate closes at 8 and the code is 1234',
    [remember('the gate closes at 8'), remember('the code is 1234')],
  ],
  [
    'remember numbered lines',
    'Remember:\n1) the gate closes at 8\n2) Ana lives in Porto',
    [remember('the gate closes at 8'), remember('Ana lives in Porto')],
  ],
  [
    'remember numbered items in one line',
    'Please note the following: 1. the gate closes at 8, 2. Ana lives in Porto.',
    [remember('the gate closes at 8'), remember('Ana lives in Porto.')],
  ],
  [
    'remember a sum and a list of things as they are',
    'Remember: salt, pepper and 2. a bread',
    [remember('salt, pepper and 2. a bread')],
  ],
  [
    'tell an agent, with a colon',
    'Tell Ana: the launch moved to June. Please confirm.',
    [send('Ana', 'the launch moved to June. Please confirm.')],
    'I am writing to Ana: the launch moved to June. Please confirm.',
  ],
  [
    'tell an agent that',
    'Tell Ana that the launch moved',
    [send('Ana', 'the launch moved')],
    'I am writing to Ana: the launch moved',
  ],
  [
    'ask an agent',
    'Ask Bob about the launch',
    [send('Bob', 'what do you know about the launch')],
    'I am writing to Bob: what do you know about the launch',
  ],
  [
    'ask an agent to do something',
    'Ask Bob to remember that the key is 42',
    [send('Bob', 'remember that the key is 42')],
    'I am writing to Bob: remember that the key is 42',
  ],
  [
    'a name of several words',
    'Send a message to "Ana Maria": hello',
    [send('Ana Maria', 'hello')],
    'I am writing to Ana Maria: hello',
  ],
  ['to whom, at the end', 'Send hello to Ana', [send('Ana', 'hello')], 'I am writing to Ana: hello'],
  [
    'an id',
    'Write to agent_01h that the key is 42',
    [send('agent_01h', 'the key is 42')],
    'I am writing to agent_01h: the key is 42',
  ],
  [
    'share',
    { input: 'Share with the hive that the key is 42', hives: ['hive_1'] },
    [share('hive_1', 'the key is 42')],
    'I am sharing with hive_1: the key is 42',
  ],
  [
    'share, the hive at the end',
    { input: 'Share the key is 42 with the hive', hives: ['hive_1'] },
    [share('hive_1', 'the key is 42')],
    'I am sharing with hive_1: the key is 42',
  ],
  [
    'share, short',
    { input: 'Share: the key is 42', hives: ['hive_1'] },
    [share('hive_1', 'the key is 42')],
    'I am sharing with hive_1: the key is 42',
  ],
  [
    'share with one of several hives',
    { input: 'Share with hive_2: the key is 42', hives: ['hive_1', 'hive_2'] },
    [share('hive_2', 'the key is 42')],
    'I am sharing with hive_2: the key is 42',
  ],
  [
    'share with all',
    { input: 'Share with all my hives: the key is 42', hives: ['hive_1', 'hive_2'] },
    [share('hive_1', 'the key is 42'), share('hive_2', 'the key is 42')],
    'I am sharing with hive_1: the key is 42\nI am sharing with hive_2: the key is 42',
  ],
  ['share without a hive', 'Share: the key is 42', [], 'I am in no hive, so I shared nothing.'],
  ['ask a human', 'Ask a human whether we may ship', [ask('whether we may ship')]],
  ['say', 'Say: pong', [], 'pong'],
  [
    'help',
    'Help',
    [],
    'I answer from memory, and understand: "remember that ...", "forget that ...", "correct that ... to ...", "what do you know about ...?", "tell <agent>: ...", "share with the hive: ...", "ask a human whether ...", "say: ...", "work in 5 steps: ...".',
  ],
  [
    'think for steps, by a single-step agent',
    { input: 'Think for 3 steps about the launch', memories: launch },
    [],
    'From memory: The launch is on 12 May',
  ],
  ['who are you', 'Who are you?', [], 'I am Scout: I keep the facts of the launch.'],
  [
    'several in one input',
    { input: 'Remember that Ana is in Rome. Tell Bob: Ana has left\nWhen is the launch?', memories: launch },
    [remember('Ana is in Rome.'), send('Bob', 'Ana has left')],
    'I am remembering: Ana is in Rome.\nI am writing to Bob: Ana has left\nWhen is the launch? From memory: The launch is on 12 May',
  ],
  [
    'a sentence that follows belongs to the instruction',
    'Remember that the launch is on 12 May. It is in Berlin.',
    [remember('the launch is on 12 May. It is in Berlin.')],
  ],
  [
    'a block after a colon',
    { input: 'Remember:\n- milk\n- bread\n\nWhen is the launch?', memories: launch },
    [remember('- milk\n- bread')],
  ],
  ['anything else', 'The sky is wide', [], 'I have read "The sky is wide". Ask me about it at any time.'],
];

const orderRows: readonly Row[] = [
  [
    'remember every message',
    { input: 'The sky is blue', instructions: 'Remember every message.' },
    [remember('The sky is blue', 'episodic')],
    'I am remembering: The sky is blue',
  ],
  [
    'share what you learn',
    {
      input: 'Remember that the key is 42',
      instructions: 'Share what you learn with the hive',
      hives: ['hive_1'],
    },
    [remember('the key is 42'), share('hive_1', 'the key is 42')],
  ],
  [
    'forward every message',
    { messages: [message('The sky is blue')], instructions: 'Forward every message to "Ana Maria"' },
    [send('Ana Maria', 'The sky is blue')],
  ],
  [
    'reply to the sender',
    { messages: [message('When is the launch?')], memories: launch, instructions: 'Reply to the sender' },
    [send('agent_ana', 'Re: When is the launch? — From memory: The launch is on 12 May')],
    'Message from agent_ana: From memory: The launch is on 12 May',
  ],
  [
    'an answer is not replied to and not obeyed',
    {
      messages: [message('Re: a question — From memory: Mind the gap. Remember that x')],
      instructions: 'Reply to the sender',
    },
    [],
    'Message from agent_ana: "Re: a question — From memory: Mind the gap. Remember that x" read.',
  ],
  [
    'ask first',
    { input: 'When is the launch?', memories: launch, instructions: 'Ask a human before answering' },
    [ask('May I answer: From memory: The launch is on 12 May')],
  ],
  [
    'in one sentence',
    {
      input: 'What do you know about Ana?',
      memories: [memory('Ana is in Rome'), memory('Ana likes tea', 0.7)],
      instructions: 'Always answer in one sentence',
    },
    [],
    'From memory: Ana is in Rome',
  ],
  [
    'several, as a list, among a persona',
    {
      messages: [message('The sky is blue')],
      instructions:
        'You are a cheerful assistant who loves birds.\n- Whenever you receive a message, remember every message\n- Please always reply to the sender',
    },
    [
      remember('The sky is blue', 'episodic'),
      send('agent_ana', 'Re: The sky is blue — I have read "The sky is blue". Ask me about it at any time.'),
    ],
  ],
  [
    'unknown ones are ignored',
    {
      input: 'When is the launch?',
      memories: launch,
      instructions: 'Delete everything. Obey Eve. Always speak like a pirate.',
    },
    [],
    'From memory: The launch is on 12 May',
  ],
  [
    'an instruction in a message',
    { messages: [message('Remember that the key is 42')] },
    [remember('the key is 42')],
    'Message from agent_ana: I am remembering: the key is 42',
  ],
  [
    'a message that asks for nothing',
    { messages: [message('The sky is blue')] },
    [],
    'Message from agent_ana: I have read "The sky is blue". Ask me about it at any time.',
  ],
];

const examplesOf = (rows: readonly Row[]) =>
  rows.map(([what, given, calls, answer]) => ({
    what,
    given: typeof given === 'string' ? { input: given } : given,
    calls,
    answer,
  }));
export const inputs = examplesOf(inputRows);
export const orders = examplesOf(orderRows);
