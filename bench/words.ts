/** Made texts: words drawn from a Zipf distribution over a vocabulary that grows with their number. */
/** Numbers from 0 to below 1, the same in every run. */
export function randomSource(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const syllables = ['ba', 'co', 'di', 'fu', 'ga', 'he', 'ki', 'lo', 'mu', 'na', 'pe', 'ro', 'si', 'tu', 'va', 'wo'];
export function word(rank: number): string {
  let out = '';
  for (let rest = rank + 16; rest > 0; rest = Math.floor(rest / 16)) out += syllables[rest % 16] ?? '';
  return out;
}

export const stops = ['the', 'of', 'and', 'what', 'did', 'to', 'in', 'is'];
export const pick = <T>(from: readonly T[], random: () => number): T => from[Math.floor(random() * from.length)] as T;

export function textOf(size: number, random: () => number): string {
  const vocabulary = Math.round(30 * size ** 0.6);
  const words = Array.from({ length: 12 + Math.floor(random() * 28) }, () =>
    random() < 0.45 ? pick(stops, random) : word(Math.floor(vocabulary ** random()) - 1),
  );
  return words.join(' ');
}
