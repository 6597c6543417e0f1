/** What an agent that reads and writes text takes and gives; everything else is -32005, and says which part. */
import { expect } from 'chai';
import { checkInputModes, checkOutputModes, refusesOutput } from '../../../src/a2a/message.js';
import type { Part } from '../../../src/domain/task/task.js';

const base64 = (content: string | Uint8Array): string => Buffer.from(content).toString('base64');

describe('a2a: parts that an agent reads', () => {
  const read: readonly Part[] = [
    { kind: 'text', text: 'a' },
    { kind: 'text', text: 'a', mediaType: 'text/markdown' },
    { kind: 'data', data: { a: 1 } },
    { kind: 'data', data: 1, mediaType: 'application/json' },
    { kind: 'data', data: [], mediaType: 'application/vnd.geo+json' },
    { kind: 'file', bytes: base64('grüezi'), mediaType: 'text/plain' },
    { kind: 'file', bytes: base64('{}'), mediaType: 'application/json', filename: 'a.json' },
    { kind: 'file', bytes: '', mediaType: 'text/csv; charset=utf-8' },
    // whether it is taken depends on the agent (run/conversation.ts)
    { kind: 'file', bytes: 'dGNr', mediaType: 'image/png' },
  ];
  it('text, data, and files of text with their content', () => {
    checkInputModes(read);
  });

  const refused: readonly (readonly [Part, string])[] = [
    [
      { kind: 'text', text: 'a', mediaType: 'application/x-unknown' },
      'is text of the media type application/x-unknown: this agent reads text/*',
    ],
    [
      { kind: 'data', data: {}, mediaType: 'image/png' },
      'is data of the media type image/png: this agent reads application/json',
    ],
    [
      { kind: 'data', data: {}, mediaType: 'text/plain' },
      'is data of the media type text/plain: this agent reads application/json',
    ],
    [
      { kind: 'file', bytes: base64(Uint8Array.of(0xff, 0xfe)), mediaType: 'text/plain' },
      'is a file of the media type text/plain that is not UTF-8',
    ],
    [
      { kind: 'file', uri: 'https://h/a.txt', mediaType: 'text/plain' },
      'is a file by its address: this agent fetches nothing, send the content',
    ],
  ];
  for (const [part, why] of refused) {
    it(why, () => {
      expect(() => checkInputModes([{ kind: 'text', text: 'a' }, part]))
        .to.throw(`Incompatible content types: message.parts.1 ${why}`)
        .that.deep.includes({ code: -32005, violations: [{ path: 'message.parts.1', message: why }] });
    });
  }
});

describe('a2a: media types that a client accepts', () => {
  it('nothing said accepts all; text in any spelling is answered', () => {
    for (const accepted of [
      undefined,
      [],
      ['text/plain'],
      ['TEXT/Plain; charset=utf-8'],
      ['text/*'],
      ['*/*'],
      ['text'],
      ['application/json'],
      ['image/png', 'text/plain'],
    ]) {
      expect(refusesOutput(accepted), String(accepted)).to.equal(false);
      checkOutputModes(accepted);
    }
  });

  it('anything else alone is refused', () => {
    for (const accepted of [['image/png'], ['application/unsupported-format'], ['audio/*', 'video/mp4'], ['plain']]) {
      expect(refusesOutput(accepted), String(accepted)).to.equal(true);
      expect(() => checkOutputModes(accepted))
        .to.throw(
          'Incompatible content types: configuration.acceptedOutputModes names no media type that this agent answers in: text/plain',
        )
        .with.property('code', -32005);
    }
  });
});
