/**
 * Bounds how many agents of a process have their models learn at a time. One is shared by all agents of the process.
 *
 *  LearningPlaces.L1 At most `most` places are taken. Whoever finds none free is told when one is, in order of arrival;
 *     nobody polls.
 *  - Leaving may be called at any time and any number of times: it gives up the waiting or the place, once. A place
 *    that is given back belongs to the first in line at once.
 */
export class LearningPlaces {
  private taken = 0;
  private readonly line = new Set<() => void>();

  constructor(private readonly most = 4) {}

  /** Calls `entered` as soon as there is a place, which may be at once. Returns the function that leaves. */
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

  private passOn(): void {
    for (const next of this.line) {
      this.line.delete(next);
      next();
      return;
    }
    this.taken--;
  }
}
