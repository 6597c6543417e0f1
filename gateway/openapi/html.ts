/** Escapes text for HTML. */

export const escape = (text: string): string => text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);

/** Renders the subset of Markdown that descriptions use: paragraphs and `code`. */
export const prose = (text: string): string =>
  text
    .split('\n\n')
    .map((paragraph) => `<p>${inline(paragraph)}</p>`)
    .join('');
export const inline = (text: string): string =>
  text
    .split('`')
    .map((piece, i) => (i % 2 === 1 ? `<code>${escape(piece)}</code>` : escape(piece)))
    .join('');
