import { path, request, type Checkpoint, type Run, type RunDelta, type RunEvent } from '../../lib/api.js';
import { duration } from '../../lib/format.js';
import { go, href } from '../../lib/router.js';
import { Icon, type IconName } from '../../ui/icons.js';
import { Button, attempt } from '../../ui/button.js';
import { Tag, Time } from '../../ui/labels.js';

type Entry = { kind: 'event'; event: RunEvent } | { kind: 'checkpoint'; checkpoint: Checkpoint };

/**
 * The checkpoint of a step stands after the last thought of that step, and after what came before it: a step that was
 * approved ends when somebody has decided.
 */
export function entriesOf(events: readonly RunEvent[], checkpoints: readonly Checkpoint[]): Entry[] {
  const after = new Map<number, Checkpoint[]>();
  for (const checkpoint of checkpoints) {
    const at = events.findLastIndex(
      (event) =>
        (event.type === 'thought' && event.thought.step === checkpoint.step) ||
        event.at < checkpoint.created_at ||
        (event.type === 'status' && event.decision !== undefined && event.at <= checkpoint.created_at),
    );
    if (events.some((event) => event.type === 'thought' && event.thought.step === checkpoint.step))
      after.set(at, [...(after.get(at) ?? []), checkpoint]);
  }
  return events.flatMap((event, n): Entry[] => [
    { kind: 'event', event },
    ...(after.get(n) ?? []).map((checkpoint) => ({ kind: 'checkpoint' as const, checkpoint })),
  ]);
}

export function Timeline({
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
  return (
    <ol class="timeline" aria-label="Timeline">
      {entriesOf(events, checkpoints).map((entry) =>
        entry.kind === 'event' ? (
          <EventRow key={`event ${entry.event.seq}`} event={entry.event} />
        ) : (
          <CheckpointRow key={entry.checkpoint.id} run={run} checkpoint={entry.checkpoint} />
        ),
      )}
      {writing !== null && writing.text !== '' && (
        <Row key="writing" kind="answer" icon="answer" title="is writing" at={writing.at} step={writing.step}>
          {writing.text}
        </Row>
      )}
    </ol>
  );
}

const icons: Readonly<Record<string, IconName>> = {
  pending: 'status',
  running: 'status',
  paused: 'pause',
  completed: 'result',
  failed: 'failed',
  timeout: 'failed',
  cancelled: 'close',
};

const statusTexts: Readonly<Record<Run['status'], string>> = {
  pending: 'Waits for its turn',
  running: 'At work',
  paused: 'Paused for a human',
  completed: 'Completed',
  failed: 'Failed',
  timeout: 'Out of time',
  cancelled: 'Cancelled',
};

const stops = {
  answer: 'it has answered',
  max_steps: 'its steps are used up',
  timeout: 'its time is used up',
  length: 'a length limit has ended its answer',
} as const;

function EventRow({ event }: { event: RunEvent }) {
  const { seq, at } = event;
  switch (event.type) {
    case 'thought': {
      const { thoughtType, content, step } = event.thought;
      return (
        <Row kind={thoughtType} icon={thoughtType} title={thoughtType} seq={seq} at={at} step={step}>
          {content}
        </Row>
      );
    }
    case 'answer':
      return (
        <Row kind="answer" icon="answer" title="answer" seq={seq} at={at}>
          {event.content}
        </Row>
      );
    case 'status':
      return (
        <Row
          kind={event.status}
          icon={icons[event.status] ?? 'status'}
          title={event.status === 'completed' && event.stopReason !== 'answer' ? 'Stopped' : statusTexts[event.status]}
          seq={seq}
          at={at}
        >
          {event.decision
            ? decided(event.decision)
            : (event.message ?? (event.stopReason === null ? null : `Because ${stops[event.stopReason]}.`))}
        </Row>
      );
  }
}

const verbs = { approve: 'Approved', reject: 'Rejected', answer: 'Answered' } as const;

/** Who has decided, and with which words. */
const decided = ({
  decision,
  by: { id, name },
  words,
}: NonNullable<Extract<RunEvent, { type: 'status' }>['decision']>): string =>
  `${verbs[decision]} by ${name ?? id}${words ? `: ${words}` : '.'}`;

interface RowProps {
  kind: string;
  icon: IconName;
  title: string;
  /** None while it is not part of the journal. */
  seq?: number;
  at: string;
  step?: number;
  children: string | null;
}

const Row = ({ kind, icon, title, seq, at, step, children }: RowProps) => (
  <li class={`event ${kind}`}>
    <span class="dot">
      <Icon name={icon} />
    </span>
    <div class="head">
      <strong class="capital">{title}</strong>
      {step !== undefined && <span class="hint">step {step}</span>}
      <span class="meta">
        <Time at={at} clock />
        {seq !== undefined && <span title="Its number in the stream">#{seq}</span>}
      </span>
    </div>
    {children !== null && children !== '' && <p class="body">{children}</p>}
  </li>
);

function CheckpointRow({ run, checkpoint }: { run: Run; checkpoint: Checkpoint }) {
  const { id, step, calls, runtimeMs, created_at } = checkpoint;
  const fork = (): void => {
    attempt(
      request<Run>('POST', path`/v1/agent-constellations/${run.agent_id}/runs/${run.id}/fork`, {
        body: { checkpoint: id },
      }).then((forked) => {
        go(href('agents', run.agent_id, 'runs', forked.id));
      }),
      `A fork from step ${step} has begun.`,
    );
  };
  return (
    <li class="event checkpoint">
      <span class="dot">
        <Icon name="memory" />
      </span>
      <div class="head">
        <strong>Checkpoint {step}</strong>
        <span class="hint">
          <Time at={created_at} clock /> · {duration(runtimeMs)} so far
        </span>
        <span class="actions end">
          <Button small kind="quiet" needs="agent:spawn" label={`Fork from here, step ${step}`} onClick={fork}>
            Fork from here
          </Button>
        </span>
      </div>
      {calls.map((call, n) => (
        <div key={n} class="call">
          <div class="row between">
            <Called call={call} />
            <Tag>{call.ok ? 'done' : 'not done'}</Tag>
          </div>
          <Arguments call={call} />
          {call.result !== '' && <p class={call.ok ? 'hint' : 'bad-text'}>{call.result}</p>}
        </div>
      ))}
    </li>
  );
}

type Call = Pick<Checkpoint['calls'][number], 'tool' | 'arguments'>;

/** The name of what is called: of `use_tool`, the agent's own tool. */
export const Called = ({ call: { tool, arguments: given } }: { call: Call }) => (
  <code>{tool === 'use_tool' ? (given['name'] ?? tool) : tool}</code>
);

export function Arguments({ call: { tool, arguments: given } }: { call: Call }) {
  if (tool === 'use_tool') return <pre class="break">{indented(given['input'] ?? '{}')}</pre>;
  return (
    <dl>
      {Object.entries(given).map(([name, value]) => (
        <>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </>
      ))}
    </dl>
  );
}

/** JSON with each field on a line of its own; what is no JSON as it is. */
function indented(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
}
