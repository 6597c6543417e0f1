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
