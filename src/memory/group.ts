/** Documents that repeat one another (repeats.ts). */
export class Group {
  /** Oldest first. Elements beyond `size` are spare capacity. */
  members = new Int32Array(4);
  size = 0;
  /** No member was said later after its time, or earlier before it, than this, in milliseconds. Both are bounds. */
  delay = 0;
  lead = 0;

  constructor(
    readonly terms: readonly number[],
    /** The member that has the postings. */
    public standsFor: number,
  ) {}

  get newest(): number {
    return this.members[this.size - 1] as number;
  }
}
