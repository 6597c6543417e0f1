/**
 * At most `most` places are taken at a time. Whoever finds none free gets one that is given back, in order of arrival;
 * nobody polls.
 */
export class Semaphore {
  private taken = 0;
  private readonly line = new Set<() => void>();

  constructor(private readonly most: number) {}

  /**
   * Calls `entered` as soon as there is a place, which may be at once. The function that it returns leaves, at any time
   * and once: it gives up the waiting or the place.
   */
  enter(entered: () => void): () => void {
    const waiter = (): void => {
      entered();
    };
    let here = true;
    if (this.taken < this.most) {
      this.taken++;
      waiter();
    } else this.line.add(waiter);
    return () => {
      if (!here) return;
      here = false;
      if (!this.line.delete(waiter)) this.passOn();
    };
  }

  /** Resolves to the function that leaves, once there is a place. */
  async place(): Promise<() => void> {
    let leave = (): void => undefined;
    await new Promise<void>((resolve) => {
      leave = this.enter(resolve);
    });
    return leave;
  }

  async during<T>(work: () => Promise<T>): Promise<T> {
    const leave = await this.place();
    try {
      return await work();
    } finally {
      leave();
    }
  }

  private passOn(): void {
    for (const next of this.line) {
      this.line.delete(next);
      next();
      return;
    }
    this.taken--;
  }
}
