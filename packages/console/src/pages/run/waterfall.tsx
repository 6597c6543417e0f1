/** A run on one axis: its steps with what they called, and what it waited for, each once, with how long it took. */
import type { ComponentChildren } from 'preact';
import { path, request, type Checkpoint, type Run, type RunDelta, type RunEvent, type Schema } from '../../lib/api.js';
import { duration } from '../../lib/format.js';
import { go, href } from '../../lib/router.js';
import { attempt, Button } from '../../ui/button.js';
import { Tag } from '../../ui/labels.js';
import { Arguments, Called, decided } from './timeline.js';
import { spansOf, type Span } from './spans.js';

export function Waterfall({
  run,
  events,
  writing,
  checkpoints,
}: {
  run: Run;
  events: readonly RunEvent[];
  writing: RunDelta | null;
  checkpoints: readonly Checkpoint[];
}) {
  const spans = spansOf(run, events, checkpoints, Date.now());
  const begin = Math.min(...spans.map(({ from }) => from));
  const end = Math.max(begin + 1, ...spans.map(({ to }) => to));
  return (
    <ol class="waterfall" aria-label="Steps">
      {spans.map((span) => (
        <li key={`${span.kind} ${span.from} ${span.step ?? ''}`} class={span.kind}>
          <div class="span">
            <strong>{titleOf(span)}</strong>
            <Bar span={span} begin={begin} end={end} />
            <span class="number nowrap">{duration(span.to - span.from)}</span>
          </div>
          <Told span={span} run={run} />
        </li>
      ))}
      {writing !== null && writing.text !== '' && (
        <li key="writing" class="step">
          <div class="span">
            <strong>Step {writing.step}</strong>
            <span class="hint">is writing</span>
          </div>
          <p class="text">{writing.text}</p>
        </li>
      )}
    </ol>
  );
}

const waits = {
  turn: 'Waited for its turn',
  pause: 'Waited for a person',
} as const;

const titleOf = ({ kind, step }: Span): string => (kind === 'step' ? `Step ${step ?? 0}` : waits[kind]);

/** Where it stands on the axis; its first part is the reasoner's, the rest that of the calls. */
function Bar({ span: { from, to, called }, begin, end }: { span: Span; begin: number; end: number }) {
  const share = (ms: number): string => `${(100 * (ms - begin)) / (end - begin)}%`;
  const width = (a: number, b: number): string => `max(2px, ${(100 * (b - a)) / (end - begin)}%)`;
  return (
    <span class="axis" aria-hidden="true">
      <i style={{ left: share(from), width: width(from, called ?? to) }} />
      {called !== null && called < to && <b style={{ left: share(called), width: width(called, to) }} />}
    </span>
  );
}

function Told({ span, run }: { span: Span; run: Run }): ComponentChildren {
  const { kind, decision, thoughts, checkpoint, work, called, from, to } = span;
  if (kind === 'turn') return null;
  if (kind === 'pause') return decision === null ? null : <p class="hint">{decided(decision)}</p>;
  const waited = work === null ? 0 : to - from - work;
  return (
    <>
      {(called !== null || waited > 1000) && (
        <p class="hint">
          {[
            ...(called === null
              ? []
              : [`${duration(called - from)} to decide`, `${duration(to - called)} for the calls`]),
            ...(waited > 1000 ? [`${duration(waited)} of it waiting`] : []),
          ].join(', ')}
        </p>
      )}
      {thoughts.map(({ id, thoughtType, content }) => (
        <p key={id} class="thought">
          <span class="hint">{thoughtType}</span> {content}
        </p>
      ))}
      {checkpoint?.calls.map((call, n) => (
        <CallView key={n} call={call} />
      ))}
      {checkpoint !== null && (
        <div class="actions end">
          <Button
            small
            kind="quiet"
            needs="agent:spawn"
            label={`Fork from here, step ${checkpoint.step}`}
            onClick={() => {
              fork(run, checkpoint);
            }}
          >
            Fork from here
          </Button>
        </div>
      )}
    </>
  );
}

function CallView({ call }: { call: Schema<'ToolOutcome'> }) {
  // the output of the run stands beside its steps
  if (call.tool === 'answer' && call.ok) return <p class="hint">It gave its answer.</p>;
  return (
    <div class="call">
      <div class="row between">
        <Called call={call} />
        <Tag>{call.ok ? 'done' : 'not done'}</Tag>
      </div>
      <Arguments call={call} />
      {call.result !== '' && <p class={call.ok ? 'hint' : 'bad-text'}>{call.result}</p>}
    </div>
  );
}

function fork(run: Run, { id, step }: Checkpoint): void {
  attempt(
    request<Run>('POST', path`/v1/agent-constellations/${run.agent_id}/runs/${run.id}/fork`, {
      body: { checkpoint: id },
    }).then((forked) => {
      go(href('agents', run.agent_id, 'runs', forked.id));
    }),
    `A fork from step ${step} has begun.`,
  );
}
