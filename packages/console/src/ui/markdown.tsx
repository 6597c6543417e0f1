/**
 * Markdown of models as elements of a fixed set. `marked` reads it; nothing becomes markup, an image is a link, and
 * links lead to web pages and mail only, so that an answer can neither run anything nor load anything.
 */
import { Lexer, type Token, type Tokens } from 'marked';
import type { ComponentChildren } from 'preact';
import { Snippet } from './states.js';

/** A longer text is shown as it was written: reading it would hold up the page. */
const longest = 50_000;

export function Markdown({ text }: { text: string }) {
  const tokens = tokensOf(text);
  return tokens === null ? <p class="text">{text}</p> : <div class="markdown">{tokens.map(block)}</div>;
}

function tokensOf(text: string): readonly Token[] | null {
  if (text.length > longest) return null;
  try {
    return Lexer.lex(text, { gfm: true, breaks: true });
  } catch {
    return null;
  }
}

/** Headings of an answer stand below those of the page. */
const Heading = ({ depth, children }: { depth: number; children: ComponentChildren }) => (
  <p class={depth < 3 ? 'heading large' : 'heading'}>{children}</p>
);

function block(token: Token, n: number): ComponentChildren {
  const { type } = token;
  switch (type) {
    case 'space':
    case 'def':
      return null;
    case 'heading':
      return (
        <Heading key={n} depth={(token as Tokens.Heading).depth}>
          {inlines(token)}
        </Heading>
      );
    case 'code':
      return <Snippet key={n} text={(token as Tokens.Code).text} label="Copy the code" />;
    case 'blockquote':
      return <blockquote key={n}>{(token as Tokens.Blockquote).tokens.map(block)}</blockquote>;
    case 'hr':
      return <hr key={n} />;
    case 'list': {
      const { ordered, start, items } = token as Tokens.List;
      const points = items.map((item, at) => (
        <li key={at}>
          {item.task && <span>{item.checked ? '☑ ' : '☐ '}</span>}
          {item.tokens.map(block)}
        </li>
      ));
      return ordered ? (
        <ol key={n} start={start === '' ? 1 : start}>
          {points}
        </ol>
      ) : (
        <ul key={n}>{points}</ul>
      );
    }
    case 'table':
      return <Table key={n} of={token as Tokens.Table} />;
    case 'checkbox':
      return null;
    case 'text':
      return <span key={n}>{inlines(token)}</span>;
    default:
      return <p key={n}>{'tokens' in token && type !== 'html' ? inlines(token) : token.raw.trimEnd()}</p>;
  }
}

const Table = ({ of: { header, rows } }: { of: Tokens.Table }) => (
  <div class="table-wrap" tabIndex={0} role="group" aria-label="Table">
    <table>
      <thead>
        <tr>
          {header.map((cell, n) => (
            <th key={n} scope="col">
              {cell.tokens.map(inline)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, n) => (
          <tr key={n}>
            {row.map((cell, at) => (
              <td key={at}>{cell.tokens.map(inline)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

const inlines = (token: Token): ComponentChildren =>
  'tokens' in token && token.tokens !== undefined ? token.tokens.map(inline) : unescaped(token);

/** What the reader is shown of a text, as it was written. */
const unescaped = (token: Token): string => ('text' in token ? String(token.text) : token.raw);

function inline(token: Token, n: number): ComponentChildren {
  switch (token.type) {
    case 'strong':
      return <strong key={n}>{inlines(token)}</strong>;
    case 'em':
      return <em key={n}>{inlines(token)}</em>;
    case 'del':
      return <del key={n}>{inlines(token)}</del>;
    case 'codespan':
      return <code key={n}>{(token as Tokens.Codespan).text}</code>;
    case 'br':
      return <br key={n} />;
    case 'checkbox':
      return null;
    case 'link':
      return (
        <Link key={n} href={(token as Tokens.Link).href}>
          {inlines(token)}
        </Link>
      );
    case 'image': {
      const { href, text } = token as Tokens.Image;
      return (
        <Link key={n} href={href}>
          {text === '' ? href : text}
        </Link>
      );
    }
    case 'html':
      return token.raw;
    default:
      return <span key={n}>{inlines(token)}</span>;
  }
}

function Link({ href, children }: { href: string; children: ComponentChildren }) {
  return /^(https?:\/\/|mailto:)/i.test(href) ? (
    <a href={href} target="_blank" rel="noreferrer noopener" title={href}>
      {children}
    </a>
  ) : (
    <span title={href}>{children}</span>
  );
}
