/** The schedules of an agent: when its runs begin next, what became of the last time, and new ones. */
import { useState } from 'preact/hooks';
import { path, request, type Agent, type Schema } from '../../lib/api.js';
import { duration } from '../../lib/format.js';
import { go, href } from '../../lib/router.js';
import { useList } from '../../lib/use-query.js';
import { attempt, Button, useAction } from '../../ui/button.js';
import { Confirm } from '../../ui/dialogs.js';
import { SelectField, TextField } from '../../ui/fields.js';
import { Badge, Time } from '../../ui/labels.js';
import { List } from '../../ui/list.js';
import { Empty, Problem } from '../../ui/states.js';
import { Form } from '../../ui/form.js';

type Schedule = Schema<'Schedule'>;
type Run = Schema<'Run'>;

const own = Intl.DateTimeFormat().resolvedOptions().timeZone;

export function Schedules({ agent }: { agent: Agent }) {
  const url = path`/v1/agents/${agent.id}/schedules`;
  const list = useList<Schedule>(url);
  return (
    <div class="split">
      <section class="card flush" aria-label="Schedules">
        <div class="card-head">
          <h2>Schedules</h2>
          <p>Each time begins one run of {agent.name}</p>
        </div>
        <List
          list={list}
          noun="schedules"
          empty={
            <Empty icon="status" title="Nothing is scheduled">
              <p>A schedule begins runs at set times, at intervals, or once.</p>
            </Empty>
          }
        >
          {(schedules) => (
            <ul class="items">
              {schedules.map((schedule) => (
                <li key={schedule.id}>
                  <One schedule={schedule} url={`${url}/${schedule.id}`} reload={list.reload} />
                </li>
              ))}
            </ul>
          )}
        </List>
      </section>
      <section class="card" aria-label="New schedule">
        <h2>New schedule</h2>
        <NewSchedule url={url} made={list.reload} />
      </section>
    </div>
  );
}

function rhythm({ cron, every, at, timezone }: Schedule) {
  if (cron !== null)
    return (
      <>
        <code>{cron}</code> in {timezone ?? 'UTC'}
      </>
    );
  if (every !== null) return <>every {duration(every * 1000)}</>;
  return (
    <>
      once
      {at !== null && (
        <>
          , <Time at={at} clock /> in {timezone ?? own}
        </>
      )}
    </>
  );
}

function One({ schedule, url, reload }: { schedule: Schedule; url: string; reload: () => void }) {
  const { name, input, paused, next_times: next, last, agent_id, sessionId } = schedule;
  const [deleting, setDeleting] = useState(false);
  // an interval has no zone, and its times are those of the reader
  const zone = schedule.cron === null ? own : (schedule.timezone ?? 'UTC');
  return (
    <>
      <div class="row between">
        <strong>
          {name !== null && <>{name}: </>}
          {rhythm(schedule)}
        </strong>
        <div class="actions">
          <Button
            small
            needs="agent:spawn"
            label={`Run now: ${input.slice(0, 40)}`}
            onClick={() => {
              attempt(
                request<Run>('POST', `${url}/run`, { body: {} }).then((run) => {
                  go(href('agents', agent_id, 'runs', run.id));
                }),
                'It runs now.',
              );
            }}
          >
            Run now
          </Button>
          <Button
            small
            needs="agent:spawn"
            label={`${paused ? 'Resume' : 'Pause'}: ${input.slice(0, 40)}`}
            onClick={() => {
              attempt(
                request('PATCH', url, { body: { paused: !paused } }).then(reload),
                paused ? 'It goes on with its next time.' : 'No time is due until it is resumed.',
              );
            }}
          >
            {paused ? 'Resume' : 'Pause'}
          </Button>
          <Button
            small
            kind="danger"
            needs="agent:spawn"
            label={`Delete: ${input.slice(0, 40)}`}
            onClick={() => {
              setDeleting(true);
            }}
          >
            Delete
          </Button>
        </div>
      </div>
      <p class="text">{input}</p>
      {last !== null && (
        <p class={last.error === null ? 'hint' : 'bad-text'}>
          Last <Time at={last.due} />:{' '}
          {last.run_id === null ? (
            (last.error?.message ?? 'no run')
          ) : (
            <a href={href('agents', agent_id, 'runs', last.run_id)}>its run</a>
          )}
        </p>
      )}
      <div class="meta">
        <Badge of={paused ? 'paused' : 'active'}>{paused ? 'paused' : 'next'}</Badge>
        {next.map((time) => (
          <Time key={time} at={time} zone={zone} />
        ))}
        {next.length > 0 && <span>in {zone}</span>}
        {sessionId !== null && (
          <a href={`${href('agents', agent_id)}?session=${encodeURIComponent(sessionId)}`}>in one conversation</a>
        )}
        {schedule.catch_up === 'none' && <span>missed times are left out</span>}
        {schedule.if_running === 'skip' && <span>none while its run goes on</span>}
      </div>
      {deleting && (
        <Confirm
          title="Delete the schedule?"
          verb="Delete"
          act={async () => {
            await request('DELETE', url);
            reload();
            return 'It begins no more runs.';
          }}
          onClose={() => {
            setDeleting(false);
          }}
        >
          <p>The runs that it has begun stay.</p>
        </Confirm>
      )}
    </>
  );
}

function NewSchedule({ url, made }: { url: string; made: () => void }) {
  const [kind, setKind] = useState<'cron' | 'every' | 'at'>('cron');
  const [cron, setCron] = useState('30 9 * * 1-5');
  const [zone, setZone] = useState(own);
  const [minutes, setMinutes] = useState('60');
  const [at, setAt] = useState('');
  const [input, setInput] = useState('');
  const [session, setSession] = useState('');
  const [missed, setMissed] = useState<'one' | 'none'>('one');
  const [busy, setBusy] = useState<'queue' | 'skip'>('queue');
  const [name, setName] = useState('');
  const {
    run,
    busy: sending,
    error,
  } = useAction(async () => {
    const when =
      kind === 'cron'
        ? { cron, timezone: zone }
        : kind === 'every'
          ? { every: Math.round(Number(minutes) * 60) }
          : { at: at === '' ? '' : new Date(at).toISOString() };
    const body = {
      ...when,
      input,
      catch_up: missed,
      if_running: busy,
      ...(name !== '' && { name }),
      ...(session !== '' && { sessionId: session }),
    };
    await request('POST', url, { body });
    setInput('');
    setName('');
    made();
    return 'It is scheduled.';
  });
  return (
    <Form onSubmit={run}>
      <SelectField
        label="Begins"
        value={kind}
        onChange={(chosen) => {
          setKind(chosen as typeof kind);
        }}
        options={[
          ['cron', 'by a cron expression'],
          ['every', 'at intervals'],
          ['at', 'once'],
        ]}
      />
      {kind === 'cron' && (
        <>
          <TextField
            label="Cron expression"
            value={cron}
            onInput={setCron}
            autocomplete="off"
            hint="Minute, hour, day, month, day of the week."
          />
          <TextField label="Time zone" value={zone} onInput={setZone} autocomplete="off" />
        </>
      )}
      {kind === 'every' && (
        <TextField label="Minutes between" type="number" min={1} value={minutes} onInput={setMinutes} />
      )}
      {kind === 'at' && <TextField label="At" type="datetime-local" value={at} onInput={setAt} hint="In your time." />}
      <TextField label="What it is told" value={input} onInput={setInput} rows={3} />
      <TextField
        label="Conversation (optional)"
        value={session}
        onInput={setSession}
        autocomplete="off"
        hint="Empty: each run has its own."
      />
      <SelectField
        label="Times that are missed"
        value={missed}
        onChange={(chosen) => {
          setMissed(chosen as typeof missed);
        }}
        options={[
          ['one', 'have one run for all'],
          ['none', 'are left out'],
        ]}
      />
      <SelectField
        label="While its run before goes on"
        value={busy}
        onChange={(chosen) => {
          setBusy(chosen as typeof busy);
        }}
        options={[
          ['queue', 'a time begins the next all the same'],
          ['skip', 'a time begins none'],
        ]}
      />
      <TextField label="Name (optional)" value={name} onInput={setName} autocomplete="off" />
      <Problem error={error} />
      <div class="actions">
        <Button kind="primary" type="submit" needs="agent:spawn" busy={sending}>
          Schedule it
        </Button>
      </div>
    </Form>
  );
}
