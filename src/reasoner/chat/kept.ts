/**
 * What a model hands out for the requests that follow: thoughts, sealed or signed, and signatures of calls. It is kept
 * as it came, in the form of its API, and nobody reads it but the model that said it (Shape.R2).
 */
import type { Kept } from './chat.js';

/** What is longer is not kept: the next request goes without it. */
export const mostKeptBytes = 256 * 1024;

/** What was said in its order, in which these stand for the text and for the next call. */
export type Ordered = 'text' | 'call' | Readonly<Record<string, unknown>>;

/** Puts text and calls back among what was kept, in the order in which they came. */
export function inOrder(said: unknown, text: readonly object[], calls: readonly object[]): object[] {
  const texts = [...text];
  const left = [...calls];
  const out: object[] = [];
  for (const item of Array.isArray(said) ? (said as Ordered[]) : []) {
    if (item === 'text') out.push(...texts.splice(0));
    else if (item === 'call') out.push(...left.splice(0, 1));
    else out.push(item);
  }
  return [...out, ...texts, ...left];
}

/** Undefined for what has nothing but text and calls. */
export const ordered = (items: readonly Ordered[]): readonly Ordered[] | undefined =>
  items.some((item) => typeof item !== 'string') ? items : undefined;

/** As a step keeps it; undefined where there is nothing to keep. */
export function keptText(from: string, said: unknown): string | undefined {
  if (said === undefined || said === null) return undefined;
  const text = JSON.stringify({ from, said } satisfies Kept);
  return Buffer.byteLength(text) <= mostKeptBytes ? text : undefined;
}

/** What a step has kept; what was imported may be anything. */
export function keptOf(text: string | undefined): Kept | undefined {
  if (text === undefined) return undefined;
  try {
    const kept = JSON.parse(text) as Partial<Kept> | null;
    return typeof kept?.from === 'string' ? { from: kept.from, said: kept.said } : undefined;
  } catch {
    return undefined;
  }
}
