import { expect } from 'chai';
import { createDocument } from '../../../gateway/openapi/document.js';
import { escape, prose } from '../../../gateway/openapi/html.js';
import { renderPage } from '../../../gateway/openapi/page.js';
import { fieldsOf, row, typeOf } from '../../../gateway/openapi/page-schema.js';

const document = createDocument();
const page = renderPage(document);

/** The elements that are open at the end, and those that were closed out of turn. */
function unbalanced(html: string): string[] {
  const open: string[] = [];
  const wrong: string[] = [];
  for (const [, slash, name = ''] of html.matchAll(/<(\/?)([a-z]\w*)[^>]*>/g)) {
    if (['meta', 'br'].includes(name)) continue;
    if (slash === '') open.push(name);
    else if (open.pop() !== name) wrong.push(name);
  }
  return [...open, ...wrong];
}

describe('the page of the document', () => {
  it('is HTML whose elements are closed', () => {
    expect(unbalanced('<p><b></p></b><i>')).not.to.deep.equal([]);
    expect(unbalanced(page)).to.deep.equal([]);
  });

  it('has every operation and every schema, once, and each link leads somewhere', () => {
    const ids = [...page.matchAll(/ id="([^"]+)"/g)].map((match) => match[1]!);
    expect(new Set(ids).size).to.equal(ids.length);
    const operations = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).map((operation) => operation.operationId),
    );
    expect(ids).to.include.members([
      ...operations,
      ...Object.keys(document.components.schemas).map((name) => `schema-${name}`),
    ]);
    for (const [, target] of page.matchAll(/href="#([^"]+)"/g)) expect(ids, target).to.include(target);
  });

  it('runs nothing and loads nothing', () => {
    expect(page).not.to.match(/<script|<link|<img|<iframe|javascript:| on\w+=|src=|@import|url\(/i);
    expect([...page.matchAll(/href="(?!#)([^"]+)"/g)].map((match) => match[1])).to.deep.equal(['openapi.json']);
  });

  it('escapes what it is told', () => {
    expect(escape('<a href="x">&\'')).to.equal('&#60;a href=&#34;x&#34;&#62;&#38;&#39;');
    expect(prose('one `<b>`\n\ntwo')).to.equal('<p>one <code>&#60;b&#62;</code></p><p>two</p>');
    const hostile = '<script>';
    expect(row(hostile, { type: hostile, default: hostile, pattern: hostile }, true, hostile)).not.to.include(hostile);
    expect(typeOf({ enum: [hostile] }) + typeOf({ const: hostile }) + typeOf({ $ref: `#/${hostile}` })).not.to.include(
      hostile,
    );
    expect(fieldsOf({ properties: { [hostile]: {} } })).not.to.include(hostile);
  });

  it('says types and bounds in words', () => {
    expect(typeOf({ type: ['string', 'null'], format: 'date-time' })).to.equal('string (date-time) or null');
    expect(typeOf({ type: 'array', items: { $ref: '#/components/schemas/Memory' } })).to.equal(
      'array of <a href="#schema-Memory">Memory</a>',
    );
    expect(typeOf({})).to.equal('anything');
    expect(row('n', { type: 'integer', minimum: 1, maximum: 100, default: 20 }, false, 'Items.')).to.include(
      'default 20, at least 1, at most 100',
    );
    expect(row('n', { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER }, false, ''))
      .to.include('at least 0<')
      .and.not.include('at most');
  });
});
