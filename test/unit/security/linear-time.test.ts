/**
 * What clients send is read in linear time, whatever it is: every function that runs patterns over their text is given
 * texts that make a careless pattern look again and again. What is compared is how the time grows with the text, never
 * the time itself: four times the text takes about four times as long where it is linear, sixteen where it is
 * quadratic.
 */
import { asksForAll, followsUp, onlyAsks, remarkOf } from '../../../src/english/sentences.js';
import { normalizedText, textHash, wordingOf } from '../../../src/domain/memory/identities.js';
import { expect } from 'chai';
import type { z } from 'zod';
import { codecFor } from '../../../src/a2a/codecs.js';
import { replyOf } from '../../../src/domain/task/run-as-task.js';
import { agentConfig } from '../../../src/domain/agent/agent-config.js';
import * as fields from '../../../src/domain/shared/input-fields.js';
import * as filters from '../../../src/domain/shared/filters.js';
import * as inputs from '../../../src/domain/shared/inputs.js';
import * as workspaceInputs from '../../../src/domain/workspace/workspace-inputs.js';
import type { RunRecord } from '../../../src/domain/agent/agent-state.js';
import { tokenize } from '../../../src/memory/tokenizer.js';
import { readTarget } from '../../../src/push/target.js';
import { parseOrders, parseRequest } from '../../../src/reasoner/built-in/request.js';
import { keyPart } from '../../../src/store/keys.js';
import { maskCredentials } from '../../../src/telemetry/redact.js';
import { bearerOf, withVersion } from '../../../gateway/auth/bearer.js';
import { matchesEtag, namedVersions } from '../../../gateway/http/etag.js';
import { requestKeyOf } from '../../../gateway/http/idempotency.js';
import { decodeJson, refuseUnsafe, requireJson } from '../../../gateway/http/json.js';
import type { GatewayRequest } from '../../../gateway/http/prototypes.js';
import { spanIn } from '../../../src/english/spans.js';
import { otherWordings } from '../../../src/english/wordings.js';
import { fitting, readMemory } from '../../../src/reasoner/built-in/fitting.js';
import { parseQueryString, readQuery } from '../../../gateway/http/query.js';
import { clientRequestId } from '../../../gateway/http/head.js';
import { clientAddress, networkOf } from '../../../gateway/limits/connections.js';
import { eventQuery } from '../../../gateway/streams/events.js';

/** Repeated. What one pattern or another takes many of, alone and in turns with what it takes next. */
const rows = [
  ' ',
  '\t',
  '\n',
  '\r\n',
  '_',
  '-',
  '.',
  ',',
  ', ',
  ':',
  ';',
  '/',
  '=',
  '+',
  '"',
  "'",
  '”',
  '(',
  ')',
  ']',
  '[',
  '!',
  '?',
  '.!',
  '! ',
  '. ',
  '? ',
  '\0',
  '\x01',
  'a',
  'A',
  '0',
  '0.',
  ':1',
  'é',
  'e\u0301',
  '汉',
  '👍',
  '%41',
  '&a=',
  '",',
  'W/"a"',
  ', "a-',
  ' "',
  'a,',
  'a.b,',
  '_a',
  'a b ',
  'so ',
  'yes ',
  'at_',
  'sk-',
  'Bearer ',
  'tell a ',
  ' know ',
  ' a message ',
  ' to ',
  ' with ',
  ' with all ',
  'share ',
  'ask ',
  'remember ',
  'work in 3 steps ',
  ': ',
  '1. ',
  '- ',
  '{',
  '["',
  '\\u0061',
];
/** Before the row: what a pattern must have seen to go on. */
const heads = [
  '',
  'yes',
  'approve',
  'Bearer ',
  'bearer a',
  'application/',
  'application/a',
  '"',
  'W/"',
  'https://',
  'https://a',
  'openai/',
  '2030-01-01T00:00:00.',
  '/v1',
  '?a=',
  'tell',
  'tell Ana',
  'share',
  'share this',
  'remember',
  'remember as',
  'ask a human',
  'work',
  'when you get a message',
  'forget that',
  'my dog is',
  'the launch',
  'I live in',
  'always',
  'forward everything to',
  '0',
];
/** After it: what keeps a pattern from ending well. */
const tail = '\u007fx~';

const smallest = 2 ** 11;
const largest = 2 ** 15;
const worthMs = 0.5;
/** After each head come these; alone come all. */
const fewRows = [' ', '_', '.', ',', '"', 'a', '0', ' a '];

/** The least of so many tries, in milliseconds of this process: what else the machine does takes none of it. */
function least(f: (text: string) => void, text: string, tries: number): number {
  let best = Infinity;
  for (let i = 0; i < tries; i++) {
    const began = process.cpuUsage();
    try {
      f(text);
    } catch {
      /* refusing is as good as accepting */
    }
    const { user, system } = process.cpuUsage(began);
    best = Math.min(best, (user + system) / 1000);
  }
  return best;
}

/** How many times longer four times the text takes; 0 where even long texts are read in no time. */
function growth(f: (text: string) => void, make: (n: number) => string, tries: number): number {
  for (let n = smallest; n <= largest; n *= 4) {
    const ms = least(f, make(n), tries);
    if (ms >= worthMs) return least(f, make(4 * n), tries) / ms;
  }
  return 0;
}

/** Between linear and quadratic, where noise takes neither. Asked again, and better, before it is believed. */
const isSuperlinear = (f: (text: string) => void, make: (n: number) => string): boolean =>
  [1, 3, 3, 5].every((tries) => growth(f, make, tries) > 9);

const paused = {
  id: 'run_1',
  status: 'paused',
  waitingFor: { kind: 'approval', question: '?', action: null },
} as unknown as RunRecord;
const requestWith = (headers: Record<string, string>): GatewayRequest =>
  ({ headers, socket: { remoteAddress: '127.0.0.1' } }) as unknown as GatewayRequest;
const caller = { workspace: 'w' } as Parameters<typeof requestKeyOf>[1];
const nothing = (): void => undefined;

/** Every field of a schema is given the text; what comes of it does not matter. */
const intoFields = (schema: z.ZodType): ((text: string) => void) => {
  const fields = Object.keys((schema as unknown as { shape?: object }).shape ?? {});
  return (text) => {
    schema.safeParse(Object.fromEntries(fields.map((field) => [field, text])));
    schema.safeParse({
      scopes: [text],
      config: { model: text, [text]: text },
      metadata: { [text]: text },
      hives: [text],
      types: [text],
    });
  };
};

const message = (text: string): object => ({
  role: 'ROLE_USER',
  messageId: text,
  taskId: text,
  contextId: text,
  [text]: text,
  parts: [
    { text, mediaType: text, filename: text },
    { raw: text },
    { url: text },
    { kind: 'text', text },
    { kind: 'file', file: { bytes: text, mimeType: text, uri: text } },
  ],
});
const dialects = [codecFor('slash', '0.3'), codecFor('pascal', '1.0')];

const readers: Readonly<Record<string, (text: string) => void>> = {
  'words of a memory': (text) => {
    tokenize(text, nothing);
  },
  'what a sentence asks the built-in reasoner for': (text) => {
    parseRequest(text);
  },
  'whether a text was said before': (text) => {
    normalizedText(text);
    textHash({ type: 'semantic', content: text });
  },
  'the text by which a memory is named': (text) => {
    wordingOf(text);
  },
  'whether a turn only asks, or follows up': (text) => {
    remarkOf(text);
    onlyAsks(`what is ${text.slice(0, -tail.length)}?`);
    followsUp(text);
    asksForAll(text);
  },
  'whether a passage of a turn is plainly stated': (text) => {
    spanIn(`${text} end of it`, 'end of it');
  },
  'whether a memory fits a question': (text) => {
    otherWordings(text);
    fitting([readMemory({ content: 'My name is Tom' })], text);
    fitting([readMemory({ content: text }), readMemory({ content: text })], 'Where does Ana live?');
    fitting([readMemory({ content: text }), readMemory({ content: text })], 'Do I like my boss?');
  },
  'standing orders in instructions': (text) => {
    parseOrders(text);
  },
  'a reply to a task that waits for approval': (text) => {
    replyOf(paused, { parts: [{ kind: 'text', text }] } as unknown as Parameters<typeof replyOf>[1]);
  },
  'a message of A2A': (text) => {
    for (const codec of dialects) {
      try {
        codec.readSend({ message: message(text), [text]: 1 });
      } catch {
        /* as above */
      }
    }
  },
  'other params of A2A': (text) => {
    for (const codec of dialects)
      for (const read of ['readGet', 'readList', 'readSetPush', 'readPush'] as const) {
        try {
          codec[read]({
            id: text,
            taskId: text,
            pageToken: text,
            historyLength: text,
            statusTimestampAfter: text,
            url: text,
            token: text,
            authentication: { scheme: text, schemes: [text], credentials: text },
            pushNotificationConfig: { url: text, token: text },
            [text]: text,
          });
        } catch {
          /* as above */
        }
      }
  },
  'the URL of a push': (text) => {
    readTarget(text, () => false);
  },
  Authorization: (text) => {
    bearerOf(text);
  },
  'a path without a version': (text) => {
    withVersion(text, 'v1');
    withVersion('/a', text);
  },
  'If-None-Match': (text) => {
    matchesEtag(text, '"a"');
  },
  'If-Match': (text) => {
    namedVersions(text);
  },
  'Content-Type': (text) => {
    requireJson({ 'content-type': text });
  },
  'Idempotency-Key': (text) => {
    requestKeyOf(requestWith({ 'idempotency-key': text }), caller, '/', Buffer.alloc(0));
  },
  'X-Request-Id': (text) => {
    clientRequestId(text);
  },
  'X-Forwarded-For': (text) => {
    networkOf(clientAddress(requestWith({ 'x-forwarded-for': text }), () => true));
    networkOf(text);
  },
  'a query': (text) => {
    parseQueryString(`/?${text}`, new Set(['a']));
  },
  'filters of events': (text) => {
    readQuery(`/v1/events?types=${text}`, eventQuery);
  },
  JSON: (text) => {
    refuseUnsafe(decodeJson(Buffer.from(text)));
  },
  'JSON with the text in it': (text) => {
    refuseUnsafe(decodeJson(Buffer.from(JSON.stringify({ [text]: text }))));
  },
  'a line of the log': maskCredentials,
  'a part of a key of the store': keyPart,
  ...Object.fromEntries(
    Object.entries({ ...inputs, ...workspaceInputs, ...filters, ...fields, agentConfig })
      .filter(([, value]: [string, object]) => typeof value === 'object' && 'safeParse' in value)
      .map(([name, schema]) => [`input: ${name}`, intoFields(schema as z.ZodType)]),
  ),
  'a type of memories': (text) => {
    fields.memoryType.safeParse(text);
  },
};

describe('security: reading takes linear time', function suite() {
  this.timeout(60_000);
  this.retries(2); // other work on the machine disturbs a measure; what is not linear is not linear three times

  it('the measure tells linear from quadratic', () => {
    const spaces = (n: number): string => ' '.repeat(n) + tail;
    expect(
      isSuperlinear((text) => {
        /\s*[.!]?\s*$/.test(text.trim());
      }, spaces),
    ).to.equal(false);
    expect(
      isSuperlinear((text) => {
        /^\s*[.!]?\s*$/.test(text);
      }, spaces),
    ).to.equal(true);
  });

  for (const [what, read] of Object.entries(readers)) {
    it(what, () => {
      for (const head of heads)
        for (const row of head === '' ? rows : fewRows) {
          const make = (n: number): string => head + row.repeat(Math.ceil(n / row.length)) + tail;
          if (isSuperlinear(read, make))
            expect.fail(`grows faster than the text: ${JSON.stringify(head)}, then many ${JSON.stringify(row)}`);
        }
    });
  }
});
