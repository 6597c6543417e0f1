import type { Checkpoint, Run, RunDelta, RunEvent } from '../../lib/api.js';
import { Icon, type IconName } from '../../ui/icons.js';
import { Time } from '../../ui/labels.js';

/** All that was told of a run, as it came. */
export function Timeline({ events, writing }: { events: readonly RunEvent[]; writing: RunDelta | null }) {
  return (
    <ol class="timeline" aria-label="Timeline">
      {events.map((event) => (
        <EventRow key={event.seq} event={event} />
      ))}
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
  budget: 'its tokens or its money are used up',
  interrupted: 'something else was said in its place',
} as const;

/** Why the run has stopped, in words. */
export const endingOf = ({ stopReason }: Run): string | undefined =>
  stopReason === null ? undefined : `Because ${stops[stopReason]}.`;

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

const verbs = { approve: 'Approved', reject: 'Rejected', answer: 'Answered', steer: 'Told' } as const;

/** Who has decided, and with which words. */
export const decided = ({
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
