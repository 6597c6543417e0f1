/**
 * A server's clock against ours. Clocks more than a minute apart stop a start, more than two seconds are a warning: ids,
 * expiry and deadlines stand on them; leases do not.
 */
export type ClockLevel = 'ok' | 'warn' | 'fail';
export interface ClockFinding {
  level: ClockLevel;
  text: string;
}

const warnApartMs = 2000;
const failApartMs = 60_000;

/** How far two clocks are apart, ms; what the answer took on its way, between `asked` and `answered` by ours, is held against neither. */
export const clockSkewMs = (theirs: number, asked: number, answered: number): number =>
  theirs < asked ? asked - theirs : Math.max(0, theirs - answered);

export const skewLevel = (apart: number): ClockLevel =>
  apart > failApartMs ? 'fail' : apart > warnApartMs ? 'warn' : 'ok';

/** Asks a server for its time. Rejects as `ask` does. */
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

/** One sentence: what is so and what to do. */
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
