/** What of an import is left out, and why: the first reasons. */
const mostReasons = 10;

export class LeftOut {
  private readonly told = new Set<string>();

  constructor(
    public count = 0,
    reasons: readonly string[] = [],
  ) {
    this.tell(reasons);
  }

  get reasons(): string[] {
    return [...this.told];
  }

  add(kind: string, reason: string): void {
    this.count++;
    this.tell([`${kind}: ${reason}`]);
  }

  addAll({ count, reasons }: Pick<LeftOut, 'count' | 'reasons'>): void {
    this.count += count;
    this.tell(reasons);
  }

  private tell(reasons: readonly string[]): void {
    for (const reason of reasons) if (this.told.size < mostReasons) this.told.add(reason);
  }
}
