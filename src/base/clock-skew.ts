/**
 * Compares a server's clock with ours. A difference of more than a minute prevents the start, and one of more than two
 * seconds causes a warning, because ids, expiry and deadlines depend on the clocks; leases do not.
 */
export type ClockLevel = 'ok' | 'warn' | 'fail';
export interface ClockFinding {
  level: ClockLevel;
  text: string;
}

const warnApartMs = 2000;
const failApartMs = 60_000;

/**
 * The difference between two clocks, ms. The other clock was read between `asked` and `answered` by ours, and a reading
 * within that interval counts as no difference.
 */
export const clockSkewMs = (theirs: number, asked: number, answered: number): number =>
  theirs < asked ? asked - theirs : Math.max(0, theirs - answered);

export const skewLevel = (apart: number): ClockLevel =>
  apart > failApartMs ? 'fail' : apart > warnApartMs ? 'warn' : 'ok';

/** Asks a server for its time. Rejects with the errors of `ask`. */
export async function compareClocks(
  server: string,
  ask: () => Promise<number>,
  now: () => number,
): Promise<ClockFinding> {
  const asked = now();
  const theirs = await ask();
  const answered = now();
  return clockFinding(server, theirs, Math.min(Math.max(theirs, asked), answered));
}

/** Returns one sentence that describes the problem and what to do about it. */
export function clockFinding(server: string, theirs: number, ours: number): ClockFinding {
  const level = skewLevel(clockSkewMs(theirs, ours, ours));
  return {
    level,
    text:
      level === 'ok'
        ? `The clock of ${server} and this machine's agree.`
        : `The clock of ${server} says ${new Date(theirs).toISOString()} and this machine's ${new Date(ours).toISOString()}: keep both right with NTP.`,
  };
}
