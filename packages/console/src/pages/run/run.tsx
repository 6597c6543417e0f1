import { useState } from 'preact/hooks';
import { cancelTask, path, request, type Checkpoint, type Run } from '../../lib/api.js';
import { compact, duration, plural } from '../../lib/format.js';
import { go, href } from '../../lib/router.js';
import type { StreamState } from '../../lib/stream.js';
import { AgentLink } from '../../ui/agent-link.js';
import { Files } from '../../ui/files.js';
import { LongText } from '../../ui/long-text.js';
import { Button, attempt } from '../../ui/button.js';
import { Confirm } from '../../ui/dialogs.js';
import { Badge, Facts, Time } from '../../ui/labels.js';
import { PageHead } from '../../ui/page-head.js';
import { Needs, Problem, Skeleton } from '../../ui/states.js';
import { isResumable, RunBadge } from '../../ui/run-badge.js';
import { Decision } from './decision.js';
import { hasEnded, lastStep, useJournal, type Journal } from './journal.js';
import { endingOf, Timeline } from './timeline.js';
import { Waterfall } from './waterfall.js';

export const RunPage = ({ agent, id }: { agent: string; id: string }) => (
  <Needs scope="agent:read">
    <Watched key={id} agent={agent} id={id} />
  </Needs>
);

function Watched({ agent, id }: { agent: string; id: string }) {
  const journal = useJournal(agent, id);
  const { run } = journal;
  const crumbs = (
    <>
      <a href={href('agents')}>Agents</a> / <AgentLink id={agent} /> / <a href={href('agents', agent, 'runs')}>Runs</a>
    </>
  );
  if (run.data === null)
    return (
      <>
        <PageHead title="Run" crumbs={crumbs} />
        {run.error === null ? <Skeleton /> : <Problem error={run.error} retry={run.reload} />}
      </>
    );
  return (
    <>
      <PageHead title={titleOf(run.data)} crumbs={crumbs} actions={<RunActions run={run.data} reload={run.reload} />}>
        <div class="row facts-row">
          <RunBadge run={run.data} />
          <StreamBadge state={journal.stream} />
          <span class="hint">{stepText(run.data, journal)}</span>
          {run.data.retryAt !== null && <span class="warn-text">no model answers; it is asked again</span>}
        </div>
      </PageHead>
      <RunBody run={run.data} journal={journal} />
    </>
  );
}

function RunBody({ run, journal }: { run: Run; journal: Journal }) {
  const [asJournal, setAsJournal] = useState(false);
  const ending = endingOf(run);
  return (
    <div class="split">
      <div class="stack">
        {run.status === 'paused' && <Decision key={run.updated_at} run={run} onDone={journal.run.reload} />}
        <section class="card" aria-label="What it does">
          <div class="card-head">
            <h2>{asJournal ? 'Journal' : 'Steps'}</h2>
            <Button
              small
              kind="quiet"
              onClick={() => {
                setAsJournal(!asJournal);
              }}
            >
              {asJournal ? 'Show the steps' : 'Show the journal'}
            </Button>
          </div>
          <p class="sr-live visually-hidden" aria-live="polite">
            The run is {run.status}.
          </p>
          <Problem error={journal.problem} what="Its events cannot be read." />
          {journal.events.length === 0 && journal.problem === null ? (
            <Skeleton />
          ) : (
            <>
              {asJournal ? (
                <Timeline events={journal.events} writing={journal.writing} />
              ) : (
                <Waterfall
                  run={run}
                  events={journal.events}
                  writing={journal.writing}
                  checkpoints={journal.checkpoints}
                />
              )}
              {ending !== undefined && !asJournal && <p class="hint">{ending}</p>}
            </>
          )}
        </section>
      </div>
      <aside class="stack" aria-label="About the run">
        <section class="card">
          <h2>Input</h2>
          <LongText text={run.input} />
          <Files agent={run.agent_id} files={run.files} />
          {run.output !== null && (
            <>
              <h2>Output</h2>
              <LongText text={run.output} />
            </>
          )}
          {run.error !== null && (
            <p class="bad-text">
              <code>{run.error.code}</code> {run.error.message}
            </p>
          )}
        </section>
        <section class="card">
          <h2>About</h2>
          <Facts
            of={[
              ['Begun by', triggers[run.triggeredBy]],
              ['Begun', <Time at={run.started_at ?? run.created_at} clock />],
              ['Ended', run.ended_at === null ? 'not yet' : <Time at={run.ended_at} clock />],
              ['Took', took(run, journal.checkpoints)],
              ['Longest runtime', `${run.maxRuntimeSeconds} s`],
              ...(run.usage.requests === 0 ? [] : [modelFact(run.usage)]),
              [
                'Conversation',
                <a
                  title={run.sessionId}
                  href={`${href('agents', run.agent_id)}?session=${encodeURIComponent(run.sessionId)}`}
                >
                  of which it is a part
                </a>,
              ],
              ...(run.subject === null ? [] : [['For', run.subject] as const]),
              ['Run', <code class="break">{run.id}</code>],
              ...(run.parent === null ? [] : [parentFact(run.parent)]),
              ...(run.forkedFrom === null ? [] : [forkFact(run, run.forkedFrom)]),
            ]}
          />
        </section>
      </aside>
    </div>
  );
}

const parentFact = ({ agent_id, runId }: NonNullable<Run['parent']>) =>
  [
    'Asked by',
    <a class="break" href={href('agents', agent_id, 'runs', runId)}>
      {runId}
    </a>,
  ] as const;

const triggers: Readonly<Record<Run['triggeredBy'], string>> = {
  api: 'a client',
  message: 'a message in the mailbox',
  a2a: 'a peer, over A2A',
  fork: 'a fork of another run',
  schedule: 'a schedule',
  agent: 'another agent, which waits for it',
};

const titleOf = ({ input }: Run): string => {
  const line = input.trim().split('\n')[0] ?? '';
  return line === '' ? 'Run' : line.length > 90 ? `${line.slice(0, 89)}…` : line;
};

/** Its work, and apart from it the time in which it waited: for a person, for results, or for a model that was away. */
function took({ started_at, ended_at }: Run, checkpoints: readonly Checkpoint[]): string {
  if (started_at === null) return 'not begun';
  const work = Math.max(0, ...checkpoints.map(({ runtimeMs }) => runtimeMs));
  const all = (ended_at === null ? Date.now() : Date.parse(ended_at)) - Date.parse(started_at);
  if (checkpoints.length === 0) return ended_at === null ? 'not known yet' : duration(all);
  const waited = all - work;
  return waited < 1000 ? `${duration(work)} of work` : `${duration(work)} of work, ${duration(waited)} of waiting`;
}

const modelFact = ({ requests, inputTokens, outputTokens }: Run['usage']) =>
  ['Model', `${plural(requests, 'request')}, ${compact(inputTokens)} tokens in, ${compact(outputTokens)} out`] as const;

const forkFact = ({ agent_id, id }: Run, { runId, step }: NonNullable<Run['forkedFrom']>) =>
  [
    'Forked from',
    <>
      <a href={href('agents', agent_id, 'runs', runId)}>step {step} of another run</a> ·{' '}
      <a href={href('agents', agent_id, 'runs', runId, 'compare', id)}>compare</a>
    </>,
  ] as const;

/** Which step it is at, or how many it took. */
function stepText({ status, steps, maxSteps }: Run, { events, writing }: Journal): string {
  const done = Math.max(steps, lastStep(events));
  return status === 'running'
    ? `at step ${Math.min(maxSteps, Math.max(done + 1, writing?.step ?? 0))} of at most ${maxSteps}`
    : `${done} of at most ${plural(maxSteps, 'step')}`;
}

const streamTexts: Readonly<Record<StreamState, string>> = {
  connecting: 'connecting',
  live: 'live',
  lost: 'connection lost, trying again',
  ended: 'all is told',
};

const StreamBadge = ({ state }: { state: StreamState }) => (
  <span role="status">
    {state === 'ended' ? (
      <span class="visually-hidden">{streamTexts[state]}</span>
    ) : (
      <Badge of={state}>{streamTexts[state]}</Badge>
    )}
  </span>
);

function RunActions({ run, reload }: { run: Run; reload: () => void }) {
  const [asking, setAsking] = useState<'cancel' | 'delete' | null>(null);
  const url = path`/v1/agent-constellations/${run.agent_id}/runs/${run.id}`;
  const close = (): void => {
    setAsking(null);
  };
  return (
    <>
      {isResumable(run) && (
        <Button
          needs="agent:spawn"
          onClick={() => {
            attempt(request('POST', `${url}/resume`, { body: {} }).then(reload), 'It goes on with a new budget.');
          }}
        >
          Resume with a new budget
        </Button>
      )}
      {hasEnded(run.status) ? (
        <Button
          kind="danger"
          needs="agent:manage"
          onClick={() => {
            setAsking('delete');
          }}
        >
          Delete…
        </Button>
      ) : (
        <Button
          kind="danger"
          needs="agent:manage"
          onClick={() => {
            setAsking('cancel');
          }}
        >
          Cancel…
        </Button>
      )}
      {asking === 'cancel' && (
        <Confirm
          title="Cancel this run?"
          verb="Cancel the run"
          act={async () => {
            await cancelTask(run.agent_id, run.id);
            reload();
            return 'Cancelled.';
          }}
          onClose={close}
        >
          <p>What it has done stays done. A cancelled run cannot be resumed, but it can be forked.</p>
        </Confirm>
      )}
      {asking === 'delete' && (
        <Confirm
          title="Delete this run?"
          verb="Delete"
          act={async () => {
            await request('DELETE', url);
            go(href('agents', run.agent_id, 'runs'));
            return 'The run is gone.';
          }}
          onClose={close}
        >
          <p>With it go its thoughts, checkpoints and events. What it remembered and sent stays.</p>
        </Confirm>
      )}
    </>
  );
}
