const longestKept = 1000;

/**
 * Keeps what `make`, which has to be pure, made of the last `most` texts, and of up to as many before these. Texts
 * longer than `longest` are not kept, so that what is kept stays bounded.
 */
export function memoize<T>(make: (text: string) => T, most: number, longest = longestKept): (text: string) => T {
  let recent = new Map<string, T>();
  let before = new Map<string, T>();
  return (text) => {
    let made = recent.get(text);
    if (made !== undefined) return made;
    made = before.get(text) ?? make(text);
    if (text.length > longest) return made;
    if (recent.size >= most) {
      before = recent;
      recent = new Map();
    }
    recent.set(text, made);
    return made;
  };
}
