/** What was said in one run of a conversation, and what has become of the run. */
import type { ComponentChildren } from 'preact';
import { path, request, type Agent, type Run, type Schema } from '../../lib/api.js';
import { href } from '../../lib/router.js';
import { attempt, Button } from '../../ui/button.js';
import { Files } from '../../ui/files.js';
import { Time } from '../../ui/labels.js';
import { Markdown } from '../../ui/markdown.js';
import { isResumable, RunBadge } from '../../ui/run-badge.js';
import { copy } from '../../ui/states.js';
import { Decision } from '../run/decision.js';
import { isAtWork, useWork, type Exchange } from './conversation.js';

/** What a run says, in the agent's place, when an action waits for approval; it is nothing that the agent has said. */
const approvalNotice = 'this waits for approval by somebody who manages the agent';

export const Said = ({ role, content }: Pick<Schema<'Turn'>, 'role' | 'content'>) =>
  role === 'user' ? (
    <p class="bubble mine">{content}</p>
  ) : (
    <div class="bubble theirs">
      <Markdown text={content} />
    </div>
  );

export const Thinking = ({ name }: { name: string }) => (
  <p class="bubble theirs thinking" role="img" aria-label={`${name} is thinking`}>
    <i />
    <i />
    <i />
  </p>
);

export function ExchangeView({
  agent,
  exchange: { runId, at, said, run },
  isLast,
  onChanged,
  onAgain,
  onEdit,
  children,
}: {
  agent: Agent;
  exchange: Exchange;
  isLast: boolean;
  onChanged: () => void;
  onAgain: (content: string) => void;
  onEdit: (content: string) => void;
  children: ComponentChildren;
}) {
  const asked = said.findLast(({ role }) => role === 'user')?.content;
  const answer = run?.output ?? null;
  return (
    <div class="turn">
      {said.map((turn, n) => (
        <TurnView key={turn.id} turn={turn} before={said[n - 1]} />
      ))}
      {run !== null && <Files agent={agent.id} files={run.files} />}
      {run !== null && isAtWork(run) && <Working agent={agent} run={run} onSettled={onChanged} />}
      {run !== null && <Outcome run={run} said={said} onChanged={onChanged} />}
      <div class="meta">
        <Time at={at} />
        {run !== null && run.stopReason !== 'answer' && <RunBadge run={run} />}
        <a href={href('agents', agent.id, 'runs', runId)}>How it came to this</a>
        {isLast && (run === null || !isAtWork(run)) && (
          <>
            {answer !== null && (
              <Button
                small
                kind="quiet"
                onClick={() => {
                  copy(answer);
                }}
              >
                Copy the answer
              </Button>
            )}
            {asked !== undefined && run?.status !== 'paused' && (
              <>
                <Button
                  small
                  kind="quiet"
                  needs="agent:spawn"
                  onClick={() => {
                    onAgain(asked);
                  }}
                >
                  Ask again
                </Button>
                <Button
                  small
                  kind="quiet"
                  onClick={() => {
                    onEdit(asked);
                  }}
                >
                  Edit and send again
                </Button>
              </>
            )}
          </>
        )}
      </div>
      {children}
    </div>
  );
}

function TurnView({ turn, before }: { turn: Schema<'Turn'>; before: Schema<'Turn'> | undefined }) {
  if (turn.role === 'agent' && turn.content === approvalNotice) return null;
  // what follows on the notice is a decision, with its words if there were any
  if (turn.role === 'user' && before?.role === 'agent' && before.content === approvalNotice)
    return <p class="hint end">Decided: {turn.content}</p>;
  return <Said role={turn.role} content={turn.content} />;
}

/** What a run that is at work has written of its answer, or thinks. */
function Working({ agent, run, onSettled }: { agent: Agent; run: Run; onSettled: () => void }) {
  const { writing, thought } = useWork(agent.id, run.id, onSettled);
  const text = writing?.text ?? '';
  return (
    <>
      {text === '' ? <Thinking name={agent.name} /> : <Said role="agent" content={text} />}
      <p class="hint clip" role="status">
        {run.status === 'pending'
          ? 'It waits for its turn.'
          : run.retryAt !== null
            ? 'No model answers; it is asked again.'
            : thought === null
              ? 'It is at work.'
              : `Step ${thought.step + (text === '' ? 0 : 1)}: ${thought.content}`}
      </p>
    </>
  );
}

const budgets = {
  max_steps: 'steps',
  timeout: 'time',
  length: 'tokens',
  answer: 'budget',
  budget: 'budget',
  interrupted: 'time',
} as const;

/** What a run waits for, or why it has no answer, with what can be done about it. */
function Outcome({ run, said, onChanged }: { run: Run; said: Exchange['said']; onChanged: () => void }) {
  const { status, stopReason, error, waitingFor, output } = run;
  const goOn = (done: string): void => {
    const url = path`/v1/agent-constellations/${run.agent_id}/runs/${run.id}/resume`;
    attempt(request('POST', url, { body: {} }).then(onChanged), done);
  };
  if (waitingFor?.kind === 'human')
    return (
      <>
        {!said.some(({ role, content }) => role === 'agent' && content === waitingFor.question) && (
          <Said role="agent" content={waitingFor.question} />
        )}
        <p class="hint">It waits for your answer: what you say next goes on with this.</p>
      </>
    );
  if (waitingFor !== null) return <Decision key={waitingFor.id} run={run} onDone={onChanged} />;
  if (status === 'cancelled')
    return (
      <p class="bubble theirs pending">
        {output !== null ? 'Interrupted before it was finished.' : 'Stopped before it answered.'}
      </p>
    );
  if (stopReason === 'length')
    return <p class="note">A limit of length has ended this answer, so it may be half of one.</p>;
  if (!isResumable(run)) return null;
  return (
    <div class="note stack tight">
      <p>
        {status === 'failed'
          ? `It failed: ${error?.message ?? 'nothing says why'}`
          : `Its ${budgets[stopReason ?? 'answer']} ${stopReason === 'max_steps' ? 'were' : 'was'} used up after ${run.steps} of ${run.maxSteps} steps, so ${output === null ? 'there is no answer' : 'this is no answer yet'}.`}
      </p>
      <div class="actions">
        <Button
          small
          needs="agent:spawn"
          onClick={() => {
            goOn(status === 'failed' ? 'It tries again.' : 'It goes on with a new budget.');
          }}
        >
          {status === 'failed' ? 'Try again' : 'Go on with a new budget'}
        </Button>
      </div>
    </div>
  );
}
