/** Two runs side by side, step by step: where a fork went another way. */
import type { RunEvent } from '../../lib/api.js';
import { href } from '../../lib/router.js';
import { AgentLink } from '../../ui/agent-link.js';
import { PageHead } from '../../ui/page-head.js';
import { RunBadge } from '../../ui/run-badge.js';
import { Needs, Problem, Skeleton } from '../../ui/states.js';
import { useJournal, type Journal } from './journal.js';

export const ComparePage = ({ agent, one, other }: { agent: string; one: string; other: string }) => (
  <Needs scope="agent:read">
    <PageHead
      title="Two runs side by side"
      crumbs={
        <>
          <a href={href('agents')}>Agents</a> / <AgentLink id={agent} /> /{' '}
          <a href={href('agents', agent, 'runs')}>Runs</a>
        </>
      }
    />
    <Compared agent={agent} one={one} other={other} />
  </Needs>
);

function Compared({ agent, one, other }: { agent: string; one: string; other: string }) {
  const left = useJournal(agent, one);
  const right = useJournal(agent, other);
  const from = right.run.data?.forkedFrom;
  const common = from?.runId === one ? from.step : 0;
  const a = stepsOf(left.events);
  // a fork's journal begins after the steps that it has in common with its origin
  const b = new Map([...[...a].filter(([step]) => step <= common), ...stepsOf(right.events)]);
  return (
    <div class="compare">
      <Side agent={agent} journal={left} title="The run" steps={a} others={b} />
      <Side
        agent={agent}
        journal={right}
        title={common > 0 ? `Its fork from step ${common}` : 'The other run'}
        steps={b}
        others={a}
        common={common}
      />
    </div>
  );
}

type Steps = ReadonlyMap<number, readonly string[]>;

function stepsOf(events: readonly RunEvent[]): Steps {
  const steps = new Map<number, string[]>();
  for (const event of events)
    if (event.type === 'thought') {
      const { step, thoughtType, content } = event.thought;
      steps.set(step, [...(steps.get(step) ?? []), `${thoughtType}: ${content}`]);
    }
  return steps;
}

function Side({
  agent,
  journal: { run, problem },
  title,
  steps,
  others,
  common = 0,
}: {
  agent: string;
  journal: Journal;
  title: string;
  steps: Steps;
  others: Steps;
  /** So many steps were not made again, but taken over from the other run. */
  common?: number;
}) {
  return (
    <section class="card" aria-label={title}>
      <div class="card-head">
        <h2>{run.data === null ? title : <a href={href('agents', agent, 'runs', run.data.id)}>{title}</a>}</h2>
        {run.data !== null && <RunBadge run={run.data} />}
      </div>
      <Problem error={run.error ?? problem} />
      {run.data === null && run.error === null && <Skeleton />}
      <ol class="stack">
        {[...steps].map(([step, lines]) => {
          const same = JSON.stringify(lines) === JSON.stringify(others.get(step));
          return (
            <li key={step} class={same ? 'same' : 'differs'}>
              <h3>
                Step {step} <span class="hint">{step <= common ? 'taken over' : same ? 'the same' : 'differs'}</span>
              </h3>
              {lines.map((line, n) => (
                <p key={n} class="text">
                  {line}
                </p>
              ))}
            </li>
          );
        })}
      </ol>
      {run.data?.output != null && (
        <>
          <h3>Output</h3>
          <p class="text">{run.data.output}</p>
        </>
      )}
    </section>
  );
}
