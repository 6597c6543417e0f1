/**
 * Compares a server's clock with ours. A difference of more than a minute prevents the start, and one of more than two
 * seconds causes a warning, because ids, expiry and deadlines depend on the clocks; leases do not.
 */
const warnApartMs = 2000;
const failApartMs = 60_000;

/**
 * Asks a server for its time, and returns one sentence that describes the problem and what to do about it. A time
 * between the question and the answer counts as no difference. Rejects with the errors of `ask`.
 */
export async function compareClocks(
  server: string,
  ask: () => Promise<number>,
  now: () => number,
): Promise<{ level: 'ok' | 'warn' | 'fail'; text: string }> {
  const asked = now();
  const theirs = await ask();
  const ours = Math.min(Math.max(theirs, asked), now());
  const apart = Math.abs(theirs - ours);
  if (apart <= warnApartMs) return { level: 'ok', text: `The clock of ${server} and this machine's agree.` };
  return {
    level: apart > failApartMs ? 'fail' : 'warn',
    text: `The clock of ${server} says ${new Date(theirs).toISOString()} and this machine's ${new Date(ours).toISOString()}: keep both right with NTP.`,
  };
}
