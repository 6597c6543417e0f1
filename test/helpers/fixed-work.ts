/**
 * How slow this machine is now, by a fixed piece of work of the kind that a turn of the gateway does: JSON is read and
 * written, text is searched and cut, bytes are decoded and hashed. A bound on CPU time that is meant for one machine is
 * multiplied by it, so that it says the same on another. Measured by the CPU time of the process; take the least of several.
 */
import { createHash } from 'node:crypto';

/** CPU time of the work on a machine where the bounds are as they are written (ms): two shared cores, the least of 50. */
const referenceMs = 6;
/** A machine that is slower than this is not made up for. */
const mostSlowness = 6;

const records = Array.from({ length: 900 }, (_, i) => ({
  id: `mem_${i}`,
  content: `What is said of number ${i}, and of what it is about.`,
  tags: ['one', 'two', `${i % 7}`],
  metadata: { at: i * 1000, known: i % 2 === 0, of: { name: `Name ${i}`, score: i / 7 } },
}));
const text = JSON.stringify(records);
const encoded = Buffer.alloc(384 * 1024, text).toString('base64');

/** Does the work once, and returns the CPU time that it took (ms). */
export function fixedWorkMs(): number {
  const began = process.cpuUsage();
  const read = JSON.parse(text) as typeof records;
  let seen = Buffer.from(encoded, 'base64').length;
  for (const { content, tags } of read) seen += content.toLowerCase().split(/[^a-z0-9]+/).length + tags.length;
  const written = JSON.stringify(read.map((record) => ({ ...record, seen })));
  seen += createHash('sha256').update(written).digest()[0] ?? 0;
  const { user, system } = process.cpuUsage(began);
  if (seen === 0) throw new Error('the work was not done');
  return (user + system) / 1000;
}

/** Has it compiled, so that what is measured next is the work alone. */
export function warmUp(): void {
  for (let i = 0; i < 50; i++) fixedWorkMs();
}

/** From the least that the work took: how many times slower than the reference, never below 1. */
export const slownessOf = (leastMs: number): number => Math.min(Math.max(1, leastMs / referenceMs), mostSlowness);
