const longestKept = 1000;

/**
 * Keeps what `make`, which has to be pure, made of the last `most` texts, and of up to as many before these. Texts
 * longer than `longest` are not kept, so that what is kept stays bounded.
 */
export function memoize<T>(
  make: (text: string) => T,
  most: number,
  longest = longestKept,
): ((text: string) => T) & { knows: (text: string) => boolean } {
  let recent = new Map<string, T>();
  let before = new Map<string, T>();
  const made = (text: string): T => {
    let known = recent.get(text);
    if (known !== undefined) return known;
    known = before.get(text) ?? make(text);
    if (text.length > longest) return known;
    if (recent.size >= most) {
      before = recent;
      recent = new Map();
    }
    recent.set(text, known);
    return known;
  };
  return Object.assign(made, { knows: (text: string) => recent.has(text) || before.has(text) });
}
