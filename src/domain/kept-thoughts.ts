/**
 * What a model hands out with a step, for the steps that follow: its thoughts, sealed or signed. Nobody but the reasoner
 * reads it: it is in the journal, so that a run goes on with it after a crash, a takeover and a fork, and in no answer,
 * no event and no export.
 */
type Kept = readonly (string | undefined)[];

/** Of one run; what was handed out first goes first. */
const mostBytes = 4 * 1024 * 1024;

/** With what came with the step after so many others. */
export function withKept(kept: Kept = [], steps: number, text: string): Kept {
  const out = [...kept];
  out[steps] = text;
  let left = mostBytes;
  for (let i = out.length - 1; i >= 0; i--) {
    left -= Buffer.byteLength(out[i] ?? '');
    if (left < 0) out[i] = undefined;
  }
  return out;
}
