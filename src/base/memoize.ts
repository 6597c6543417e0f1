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

/**
 * A Map of values that stay for a moment. What is deleted is let go of at once, also where a table that the Map has
 * replaced still refers to it (linked-list.ts says why that matters).
 */
export class BriefMap<K, V extends object> {
  private readonly boxes = new Map<K, { value: V | undefined }>();

  get(key: K): V | undefined {
    return this.boxes.get(key)?.value;
  }

  set(key: K, value: V): void {
    this.boxes.set(key, { value });
  }

  delete(key: K): void {
    const box = this.boxes.get(key);
    if (!box) return;
    box.value = undefined;
    this.boxes.delete(key);
  }

  /** Empties the map and returns what was in it. */
  take(): V[] {
    const values = [...this.boxes.values()].flatMap(({ value }) => value ?? []);
    for (const key of [...this.boxes.keys()]) this.delete(key);
    return values;
  }
}
