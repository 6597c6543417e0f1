/** What a human is asked, and what a human can do with a run that has stopped. */
import { useState } from 'preact/hooks';
import { path, request, type Run } from '../../lib/api.js';
import { href } from '../../lib/router.js';
import { Icon } from '../../ui/icons.js';
import { useQuery } from '../../lib/use-query.js';
import { Button, useAction } from '../../ui/button.js';
import { TextField } from '../../ui/fields.js';
import { Files } from '../../ui/files.js';
import { Problem } from '../../ui/states.js';
import { Arguments, Called } from './timeline.js';

type WaitsFor = NonNullable<NonNullable<NonNullable<Run['waitingFor']>['asked']>[number]['waitsFor']>;

/** What another run waits for, as far as it still waits for that, to be answered at this one. */
function Elsewhere({ at, waitsFor, onDone }: { at: Run; waitsFor: WaitsFor; onDone: () => void }) {
  const { agent_id, run_id, id } = waitsFor;
  const { data } = useQuery(`run ${agent_id} ${run_id} ${id}`, (signal) =>
    request<Run>('GET', path`/v1/agent-constellations/${agent_id}/runs/${run_id}`, { signal }),
  );
  return data?.waitingFor?.id === id ? <Decision run={data} at={at} onDone={onDone} /> : null;
}

/** `at`: the run that asks, at which it is answered, if that is another. */
export function Decision({ run, at = run, onDone }: { run: Run; at?: Run; onDone: () => void }) {
  const [input, setInput] = useState('');
  const { waitingFor } = run;
  const {
    run: act,
    busy,
    error,
  } = useAction(async (body: object, done: string) => {
    await request('POST', path`/v1/agent-constellations/${at.agent_id}/runs/${at.id}/resume`, {
      body: { ...body, ...(waitingFor && { answers: waitingFor.id }) },
    });
    setInput('');
    onDone();
    return done;
  });
  if (waitingFor === null) return null;
  if (waitingFor.kind === 'agent')
    return (
      <section class="card decision" aria-label="Questions">
        <h2 class="row">
          <Icon name="pause" /> It {waitingFor.question}
        </h2>
        <ul>
          {waitingFor.asked?.map(({ id, agent_id, run_id, answered, waitsFor }) => (
            <li key={id}>
              {run_id === null || agent_id === null ? (
                (agent_id ?? 'no agent')
              ) : (
                <a href={href('agents', agent_id, 'runs', run_id)}>{run_id}</a>
              )}{' '}
              {answered ? 'has answered' : waitsFor === null ? 'is at work' : `waits: ${waitsFor.question}`}
              {waitsFor !== null && waitsFor.run_id !== run_id && (
                <>
                  {' '}
                  <a href={href('agents', waitsFor.agent_id, 'runs', waitsFor.run_id)}>Decide</a>
                </>
              )}
            </li>
          ))}
        </ul>
        {waitingFor.asked?.flatMap(({ waitsFor, answered }) =>
          waitsFor === null || answered
            ? []
            : [<Elsewhere key={waitsFor.id} at={at} waitsFor={waitsFor} onDone={onDone} />],
        )}
      </section>
    );
  if (waitingFor.kind === 'tools')
    return (
      <section class="card attention decision" aria-label="Tools">
        <h2 class="row">
          <Icon name="pause" /> It waits for the results of tools
        </h2>
        {waitingFor.calls?.map((call) => (
          <div class="call" key={call.id}>
            <code>{call.name}</code>
            <pre class="break">{JSON.stringify(call.arguments, null, 2)}</pre>
          </div>
        ))}
        <p class="text">The program that began this run carries them out, and sends the results.</p>
      </section>
    );
  return waitingFor.kind === 'approval' ? (
    <section class="card attention decision" aria-label="Decision">
      <h2 class="row">
        <Icon name="pause" /> It asks for your approval
      </h2>
      <p class="text">{waitingFor.question}</p>
      {run.files.length > 0 && <Files agent={run.agent_id} files={run.files} />}
      {waitingFor.action !== null && (
        <div class="call">
          <Called call={waitingFor.action} />
          <Arguments call={waitingFor.action} />
        </div>
      )}
      <TextField
        label="What it should know (optional)"
        value={input}
        onInput={setInput}
        hint="Instructions in a rejection are followed: “Tell Carol: hi”."
      />
      <Problem error={error} />
      <div class="actions">
        <Button
          kind="primary"
          needs="agent:manage"
          busy={busy}
          onClick={() => {
            act({ decision: 'approve', ...(input !== '' && { input }) }, 'Approved: it goes on.');
          }}
        >
          Approve
        </Button>
        <Button
          kind="danger"
          needs="agent:manage"
          busy={busy}
          onClick={() => {
            act({ decision: 'reject', ...(input !== '' && { input }) }, 'Rejected: it goes on without that.');
          }}
        >
          Reject
        </Button>
      </div>
    </section>
  ) : (
    <section class="card attention decision" aria-label="Question">
      <h2 class="row">
        <Icon name="answer" /> It asks you
      </h2>
      <p class="text">{waitingFor.question}</p>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          if (input.trim() !== '') act({ input }, 'Answered: it goes on.');
        }}
      >
        <TextField label="Your answer" value={input} onInput={setInput} rows={2} />
        <Problem error={error} />
        <div class="actions">
          <Button kind="primary" type="submit" needs="agent:spawn" busy={busy}>
            Answer
          </Button>
        </div>
      </form>
    </section>
  );
}
