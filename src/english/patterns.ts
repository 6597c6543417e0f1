/** Patterns that are made of tables of words, so that the tables can be read. Each pattern is made once. */

/** A group of alternatives, each a pattern. */
export const anyOf = (...alternatives: readonly string[]): string => `(?:${alternatives.join('|')})`;

/** A group of words that are told apart by spaces. */
export const wordsOf = (...lines: readonly string[]): string => anyOf(...lines.flatMap((line) => line.split(' ')));
