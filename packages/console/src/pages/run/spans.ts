/** What a run has spent its time on, from its journal and its checkpoints; times in ms. */
import type { Checkpoint, Run, RunEvent, Schema } from '../../lib/api.js';

type Status = Extract<RunEvent, { type: 'status' }>;

export interface Span {
  /** `turn`: it waited until other runs of its agent or conversation had ended. `pause`: for a person, or results. */
  kind: 'turn' | 'step' | 'pause';
  from: number;
  to: number;
  step: number | null;
  /** When its calls began, if they ended later than what decided on them. */
  called: number | null;
  /** How much of it was work; null where that is not known. */
  work: number | null;
  /** What it has thought, without what only announces a call or repeats its result. */
  thoughts: readonly Schema<'Thought'>[];
  checkpoint: Checkpoint | null;
  decision: NonNullable<Status['decision']> | null;
}

const nothing = { step: null, called: null, work: null, thoughts: [], checkpoint: null, decision: null } as const;

/** A wait for its turn that is shorter is none that anybody sees. */
const noticed = 100;

export function spansOf(
  run: Run,
  events: readonly RunEvent[],
  checkpoints: readonly Checkpoint[],
  now: number,
): readonly Span[] {
  const spans: Span[] = [];
  const created = Date.parse(run.created_at);
  const started = run.started_at === null ? null : Date.parse(run.started_at);
  if (started === null || started - created > noticed)
    spans.push({ ...nothing, kind: 'turn', from: created, to: started ?? now });
  const pauses = pausesOf(events, now);
  const steps = new Map<number, { at: number; thoughts: Schema<'Thought'>[] }>();
  for (const event of events)
    if (event.type === 'thought') {
      const { step } = event.thought;
      const before = steps.get(step);
      if (before === undefined) steps.set(step, { at: Date.parse(event.at), thoughts: [event.thought] });
      else before.thoughts.push(event.thought);
    }
  const of = new Map(checkpoints.map((checkpoint) => [checkpoint.step, checkpoint]));
  const begins = events.flatMap((event) =>
    event.type === 'status' && event.status === 'running' ? [Date.parse(event.at)] : [],
  );
  let last = started ?? created;
  let worked = 0;
  for (const [step, { at, thoughts }] of steps) {
    const checkpoint = of.get(step) ?? null;
    // it begins when the step before it has ended, or the run has gone on
    const from = Math.max(last, ...begins.filter((begin) => begin <= at));
    const ended = checkpoint === null ? at : Date.parse(checkpoint.created_at);
    const paused = pauses.some((pause) => pause.from >= at && pause.from < ended);
    const to = paused ? at : Math.max(at, ended);
    const work = checkpoint === null ? null : Math.max(0, checkpoint.runtimeMs - worked);
    spans.push({
      ...nothing,
      kind: 'step',
      step,
      from: Math.min(from, to),
      to,
      called: to - at > 1 ? at : null,
      work,
      checkpoint,
      thoughts: thoughts.filter(
        ({ thoughtType, tool, found }) =>
          tool === undefined && thoughtType !== 'result' && (thoughtType !== 'recall' || found !== undefined),
      ),
    });
    last = Math.max(ended, at);
    worked = checkpoint?.runtimeMs ?? worked;
  }
  return [...spans, ...pauses].sort((a, b) => a.from - b.from || a.to - b.to);
}

function pausesOf(events: readonly RunEvent[], now: number): Span[] {
  const pauses: Span[] = [];
  let from: number | null = null;
  for (const event of events)
    if (event.type === 'status') {
      const at = Date.parse(event.at);
      if (event.status === 'paused') from = at;
      else if (from !== null) {
        pauses.push({ ...nothing, kind: 'pause', from, to: at, decision: event.decision ?? null });
        from = null;
      }
    }
  if (from !== null) pauses.push({ ...nothing, kind: 'pause', from, to: Math.max(from, now) });
  return pauses;
}
