/** A small cache of parsed texts that are needed again at the next step. */
export class Book<T> {
  private readonly known = new Map<string, T>();

  constructor(
    private readonly parse: (text: string) => T,
    private readonly most = 64,
  ) {}

  of(text: string): T {
    const found = this.known.get(text);
    if (found !== undefined) return found;
    const made = this.parse(text);
    if (this.known.size >= this.most) this.known.clear();
    this.known.set(text, made);
    return made;
  }
}
