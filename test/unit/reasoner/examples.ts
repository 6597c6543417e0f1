/** The examples of docs/reasoners.md as a table: what is documented is what is tested. */
import type { ToolCall } from '../../../src/domain/model.js';
import { memory, message, type Given } from './support.js';

export interface Example {
  what: string;
  given: Given;
  calls: ToolCall[];
  answer?: string;
}

const remember = (content: string, type = 'semantic'): ToolCall => ({ tool: 'remember', arguments: { content, type } });
const send = (to: string, content: string): ToolCall => ({ tool: 'send_message', arguments: { to, content } });
const share = (hive_id: string, content: string): ToolCall => ({
  tool: 'share_with_hive',
  arguments: { content, type: 'semantic', hive_id },
});
const ask = (question: string): ToolCall => ({ tool: 'ask_human', arguments: { question } });
const launch = [memory('The launch is on 12 May')];

export const inputs: Example[] = [
  {
    what: 'a question',
    given: { input: 'When is the launch?', memories: launch },
    calls: [],
    answer: 'From memory: The launch is on 12 May',
  },
  {
    what: 'a question, several memories',
    given: {
      input: 'What do you know about Ana?',
      memories: [memory('Ana is in Rome', 0.8), memory('Ana likes tea', 0.7), memory('Bob is tall', 0.1)],
    },
    calls: [],
    answer: 'From memory:\n- Ana is in Rome\n- Ana likes tea',
  },
  {
    what: 'a question, nothing known',
    given: { input: 'When is the launch?' },
    calls: [],
    answer: 'I know nothing about that yet.',
  },
  {
    what: 'recall',
    given: { input: 'Recall the launch date', memories: launch },
    calls: [],
    answer: 'From memory: The launch is on 12 May',
  },
  {
    what: 'tell me',
    given: { input: 'Tell me about the launch', memories: launch },
    calls: [],
    answer: 'From memory: The launch is on 12 May',
  },
  {
    what: 'two questions',
    given: {
      input: 'When is the launch? Where is Bob?',
      memories: [memory('The launch is on 12 May'), memory('Bob is in Oslo', 0.6)],
    },
    calls: [],
    answer: 'When is the launch? From memory: The launch is on 12 May\nWhere is Bob? From memory: Bob is in Oslo',
  },
  {
    what: 'remember that',
    given: { input: 'Remember that the launch is on 12 May.' },
    calls: [remember('the launch is on 12 May.')],
    answer: 'I am remembering: the launch is on 12 May.',
  },
  {
    what: 'please note',
    given: { input: 'Please note: the door code is 4711' },
    calls: [remember('the door code is 4711')],
    answer: 'I am remembering: the door code is 4711',
  },
  {
    what: 'do not forget',
    given: { input: "Don't forget that Ana is allergic to nuts" },
    calls: [remember('Ana is allergic to nuts')],
    answer: 'I am remembering: Ana is allergic to nuts',
  },
  {
    what: 'remember with a type',
    given: { input: 'Remember as procedural: stop the pump, then open the valve' },
    calls: [remember('stop the pump, then open the valve', 'procedural')],
    answer: 'I am remembering: stop the pump, then open the valve',
  },
  {
    what: 'correct',
    given: { input: 'Correct that the flight to Rome is at 8 to the flight to Rome is at 9.' },
    calls: [
      {
        tool: 'update_memory',
        arguments: { memory: 'the flight to Rome is at 8', content: 'the flight to Rome is at 9.' },
      },
    ],
  },
  {
    what: 'correct, without the whole statement',
    given: { input: 'Correct that the gate is B2 to C3' },
    calls: [],
  },
  {
    what: 'remember two things',
    given: { input: 'Remember two things: the gate closes at 8 and the code is 1234' },
    calls: [remember('the gate closes at 8'), remember('the code is 1234')],
  },
  {
    what: 'remember numbered lines',
    given: { input: 'Remember:\n1) the gate closes at 8\n2) Ana lives in Porto' },
    calls: [remember('the gate closes at 8'), remember('Ana lives in Porto')],
  },
  {
    what: 'remember numbered items in one line',
    given: { input: 'Please note the following: 1. the gate closes at 8, 2. Ana lives in Porto.' },
    calls: [remember('the gate closes at 8'), remember('Ana lives in Porto.')],
  },
  {
    what: 'remember a sum and a list of things as they are',
    given: { input: 'Remember: salt, pepper and 2. a bread' },
    calls: [remember('salt, pepper and 2. a bread')],
  },
  {
    what: 'tell an agent, with a colon',
    given: { input: 'Tell Ana: the launch moved to June. Please confirm.' },
    calls: [send('Ana', 'the launch moved to June. Please confirm.')],
    answer: 'I am writing to Ana: the launch moved to June. Please confirm.',
  },
  {
    what: 'tell an agent that',
    given: { input: 'Tell Ana that the launch moved' },
    calls: [send('Ana', 'the launch moved')],
    answer: 'I am writing to Ana: the launch moved',
  },
  {
    what: 'ask an agent',
    given: { input: 'Ask Bob about the launch' },
    calls: [send('Bob', 'what do you know about the launch')],
    answer: 'I am writing to Bob: what do you know about the launch',
  },
  {
    what: 'ask an agent to do something',
    given: { input: 'Ask Bob to remember that the key is 42' },
    calls: [send('Bob', 'remember that the key is 42')],
    answer: 'I am writing to Bob: remember that the key is 42',
  },
  {
    what: 'a name of several words',
    given: { input: 'Send a message to "Ana Maria": hello' },
    calls: [send('Ana Maria', 'hello')],
    answer: 'I am writing to Ana Maria: hello',
  },
  {
    what: 'an id',
    given: { input: 'Write to agent_01h that the key is 42' },
    calls: [send('agent_01h', 'the key is 42')],
    answer: 'I am writing to agent_01h: the key is 42',
  },
  {
    what: 'share',
    given: { input: 'Share with the hive that the key is 42', hives: ['hive_1'] },
    calls: [share('hive_1', 'the key is 42')],
    answer: 'I am sharing with hive_1: the key is 42',
  },
  {
    what: 'share, short',
    given: { input: 'Share: the key is 42', hives: ['hive_1'] },
    calls: [share('hive_1', 'the key is 42')],
    answer: 'I am sharing with hive_1: the key is 42',
  },
  {
    what: 'share with one of several hives',
    given: { input: 'Share with hive_2: the key is 42', hives: ['hive_1', 'hive_2'] },
    calls: [share('hive_2', 'the key is 42')],
    answer: 'I am sharing with hive_2: the key is 42',
  },
  {
    what: 'share with all',
    given: { input: 'Share with all my hives: the key is 42', hives: ['hive_1', 'hive_2'] },
    calls: [share('hive_1', 'the key is 42'), share('hive_2', 'the key is 42')],
    answer: 'I am sharing with hive_1: the key is 42\nI am sharing with hive_2: the key is 42',
  },
  {
    what: 'share without a hive',
    given: { input: 'Share: the key is 42' },
    calls: [],
    answer: 'I am in no hive, so I shared nothing.',
  },
  { what: 'ask a human', given: { input: 'Ask a human whether we may ship' }, calls: [ask('whether we may ship')] },
  { what: 'say', given: { input: 'Say: pong' }, calls: [], answer: 'pong' },
  {
    what: 'help',
    given: { input: 'Help' },
    calls: [],
    answer:
      'I answer from memory, and understand: "remember that ...", "forget that ...", "correct that ... to ...", "what do you know about ...?", "tell <agent>: ...", "share with the hive: ...", "ask a human whether ...", "say: ...", "work in 5 steps: ...".',
  },
  {
    what: 'think for steps, by a single-step agent',
    given: { input: 'Think for 3 steps about the launch', memories: launch },
    calls: [],
    answer: 'From memory: The launch is on 12 May',
  },
  {
    what: 'who are you',
    given: { input: 'Who are you?' },
    calls: [],
    answer: 'I am Scout: I keep the facts of the launch.',
  },
  {
    what: 'several in one input',
    given: { input: 'Remember that Ana is in Rome. Tell Bob: Ana has left\nWhen is the launch?', memories: launch },
    calls: [remember('Ana is in Rome.'), send('Bob', 'Ana has left')],
    answer:
      'I am remembering: Ana is in Rome.\nI am writing to Bob: Ana has left\nWhen is the launch? From memory: The launch is on 12 May',
  },
  {
    what: 'a sentence that follows belongs to the instruction',
    given: { input: 'Remember that the launch is on 12 May. It is in Berlin.' },
    calls: [remember('the launch is on 12 May. It is in Berlin.')],
  },
  {
    what: 'a block after a colon',
    given: { input: 'Remember:\n- milk\n- bread\n\nWhen is the launch?', memories: launch },
    calls: [remember('- milk\n- bread')],
  },
  {
    what: 'anything else',
    given: { input: 'The sky is wide' },
    calls: [],
    answer: 'I have read "The sky is wide". Ask me about it at any time.',
  },
];

export const orders: Example[] = [
  {
    what: 'remember every message',
    given: { input: 'The sky is blue', instructions: 'Remember every message.' },
    calls: [remember('The sky is blue', 'episodic')],
    answer: 'I am remembering: The sky is blue',
  },
  {
    what: 'share what you learn',
    given: {
      input: 'Remember that the key is 42',
      instructions: 'Share what you learn with the hive',
      hives: ['hive_1'],
    },
    calls: [remember('the key is 42'), share('hive_1', 'the key is 42')],
  },
  {
    what: 'forward every message',
    given: { messages: [message('The sky is blue')], instructions: 'Forward every message to "Ana Maria"' },
    calls: [send('Ana Maria', 'The sky is blue')],
  },
  {
    what: 'reply to the sender',
    given: { messages: [message('When is the launch?')], memories: launch, instructions: 'Reply to the sender' },
    calls: [send('agent_ana', 'Re: When is the launch? — From memory: The launch is on 12 May')],
    answer: 'Message from agent_ana: From memory: The launch is on 12 May',
  },
  {
    what: 'an answer is not replied to and not obeyed',
    given: {
      messages: [message('Re: a question — From memory: Mind the gap. Remember that x')],
      instructions: 'Reply to the sender',
    },
    calls: [],
    answer: 'Message from agent_ana: "Re: a question — From memory: Mind the gap. Remember that x" read.',
  },
  {
    what: 'ask first',
    given: { input: 'When is the launch?', memories: launch, instructions: 'Ask a human before answering' },
    calls: [ask('May I answer: From memory: The launch is on 12 May')],
  },
  {
    what: 'in one sentence',
    given: {
      input: 'What do you know about Ana?',
      memories: [memory('Ana is in Rome'), memory('Ana likes tea', 0.7)],
      instructions: 'Always answer in one sentence',
    },
    calls: [],
    answer: 'From memory: Ana is in Rome',
  },
  {
    what: 'several, as a list, among a persona',
    given: {
      messages: [message('The sky is blue')],
      instructions:
        'You are a cheerful assistant who loves birds.\n- Whenever you receive a message, remember every message\n- Please always reply to the sender',
    },
    calls: [
      remember('The sky is blue', 'episodic'),
      send('agent_ana', 'Re: The sky is blue — I have read "The sky is blue". Ask me about it at any time.'),
    ],
  },
  {
    what: 'unknown ones are ignored',
    given: {
      input: 'When is the launch?',
      memories: launch,
      instructions: 'Delete everything. Obey Eve. Always speak like a pirate.',
    },
    calls: [],
    answer: 'From memory: The launch is on 12 May',
  },
  {
    what: 'an instruction in a message',
    given: { messages: [message('Remember that the key is 42')] },
    calls: [remember('the key is 42')],
    answer: 'Message from agent_ana: I am remembering: the key is 42',
  },
  {
    what: 'a message that asks for nothing',
    given: { messages: [message('The sky is blue')] },
    calls: [],
    answer: 'Message from agent_ana: I have read "The sky is blue". Ask me about it at any time.',
  },
];
