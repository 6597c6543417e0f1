/** What models were used for, day by day, by whom, and what the workspace may use of them in a month. */
import { useState } from 'preact/hooks';
import { request, type Schema } from '../../lib/api.js';
import { compact, count, dollars, plural } from '../../lib/format.js';
import { href, place, setFilter } from '../../lib/router.js';
import { useStore } from '../../lib/store.js';
import { useQuery } from '../../lib/use-query.js';
import { Button, useAction } from '../../ui/button.js';
import { Dialog } from '../../ui/dialogs.js';
import { TextField } from '../../ui/fields.js';
import { Form } from '../../ui/form.js';
import { Meter } from '../../ui/labels.js';
import { Empty, Problem, Skeleton } from '../../ui/states.js';

type Days = Schema<'UsageDays'>;
type Use = Omit<Days['days'][number], 'day'>;
type Budget = Schema<'ModelBudget'>;

const periods = ['7', '30', '90', '365'];
const dayMs = 24 * 60 * 60 * 1000;
const dayBefore = (days: number): string => new Date(Date.now() - days * dayMs).toISOString().slice(0, 10);
const tokensOf = ({ inputTokens, outputTokens }: Pick<Use, 'inputTokens' | 'outputTokens'>): number =>
  inputTokens + outputTokens;

export function ModelUsage() {
  const asked = useStore(place).query.get('days') ?? '';
  const period = periods.includes(asked) ? asked : '30';
  const usage = useQuery(
    `usage days ${period}`,
    (signal) => request<Days>('GET', '/v1/usage/days', { signal, query: { from: dayBefore(Number(period) - 1) } }),
    { every: 60, keep: true },
  );
  const { data, error } = usage;
  return (
    <>
      <MonthBudget />
      <section class="card" aria-label="Usage of models">
        <div class="card-head row between">
          <div>
            <h2>Usage of models</h2>
            <p>By day (UTC), of runs and of learning; the built-in reasoner uses none.</p>
          </div>
          <select
            class="input"
            aria-label="Period"
            value={period}
            onChange={(event) => {
              setFilter('days', event.currentTarget.value);
            }}
          >
            {periods.map((days) => (
              <option key={days} value={days}>
                {days} days
              </option>
            ))}
          </select>
        </div>
        {data === null ? (
          error === null ? (
            <Skeleton />
          ) : (
            <Problem error={error} retry={usage.reload} />
          )
        ) : data.days.length === 0 ? (
          <Empty icon="overview" title="No model was used in these days">
            <p>Agents with a model are counted from their first step on.</p>
          </Empty>
        ) : (
          <Told data={data} />
        )}
      </section>
    </>
  );
}

function Told({ data: { days, by_agent, complete } }: { data: Days }) {
  const priced = days.some(({ cost }) => cost !== undefined);
  const size = (use: Use): number => (priced ? (use.cost ?? 0) : tokensOf(use));
  const shown = (use: Use): string => (priced ? dollars(use.cost ?? 0) : compact(tokensOf(use)));
  const sum = days.reduce((all, day) => ({ cost: all.cost + (day.cost ?? 0), tokens: all.tokens + tokensOf(day) }), {
    cost: 0,
    tokens: 0,
  });
  const most = Math.max(...days.map(size), Number.MIN_VALUE);
  const mostOfOne = Math.max(...by_agent.map(size), Number.MIN_VALUE);
  return (
    <>
      <p>
        {priced && (
          <>
            <strong>{dollars(sum.cost)}</strong> and{' '}
          </>
        )}
        <strong>{compact(sum.tokens)}</strong> tokens in these days.
        {!complete && ' There is more than one request adds up: the earliest days are left out.'}
      </p>
      <div class="grid">
        <div>
          <h3>By day</h3>
          <div class="stack tight" role="list" aria-label="Usage by day">
            {[...days].reverse().map((use) => (
              <div key={use.day} class="bar" role="listitem" title={details(use)}>
                <span class="tabular">{use.day}</span>
                <Meter share={size(use) / most} />
                <span class="number">{shown(use)}</span>
              </div>
            ))}
          </div>
        </div>
        <div>
          <h3>By agent</h3>
          <div class="stack tight" role="list" aria-label="Agents that used most">
            {by_agent.map(({ agent_id, name, ...use }) => (
              <div key={agent_id} class="bar" role="listitem" title={details(use)}>
                {name === null ? (
                  <span>a deleted agent</span>
                ) : (
                  <a href={href('agents', agent_id)} title={name}>
                    {name}
                  </a>
                )}
                <Meter share={size(use) / mostOfOne} />
                <span class="number">{shown(use)}</span>
              </div>
            ))}
          </div>
        </div>
      </div>
    </>
  );
}

const details = (use: Use): string =>
  [
    plural(use.runs, 'run'),
    ...(use.failed > 0 ? [`${count(use.failed)} failed`] : []),
    plural(use.requests, 'request'),
    `${count(use.inputTokens)} tokens in (${count(use.cachedInputTokens)} cached), ${count(use.outputTokens)} out`,
  ].join(' · ');

function MonthBudget() {
  const [setting, setSetting] = useState(false);
  const budget = useQuery('budget', (signal) => request<Budget>('GET', '/v1/usage/budget', { signal }), {
    every: 60,
    keep: true,
  });
  const { data, error } = budget;
  const close = (): void => {
    setSetting(false);
  };
  return (
    <section class="card" aria-label="Budget of models">
      <div class="card-head row between">
        <div>
          <h2>Budget of this month</h2>
          <p>What all agents together may use; where it is used up, no run begins to ask a model.</p>
        </div>
        {data !== null && (
          <Button
            small
            needs="workspace:admin"
            onClick={() => {
              setSetting(true);
            }}
          >
            Set the budget
          </Button>
        )}
      </div>
      {data === null ? (
        error === null ? (
          <Skeleton />
        ) : (
          <Problem error={error} retry={budget.reload} />
        )
      ) : (
        <>
          {data.cost_per_month === null && data.tokens_per_month === null && (
            <p>
              {count(tokensOf(data.used))} tokens{data.used.cost === undefined ? '' : ` (${dollars(data.used.cost)})`},
              without a bound.
            </p>
          )}
          {data.cost_per_month !== null && (
            <Bound used={data.used.cost ?? 0} limit={data.cost_per_month} shown={dollars} />
          )}
          {data.tokens_per_month !== null && (
            <Bound used={tokensOf(data.used)} limit={data.tokens_per_month} shown={inTokens} />
          )}
          {data.per_subject && <OfSubject each={data.per_subject} />}
        </>
      )}
      {setting && data !== null && (
        <BudgetDialog
          budget={data}
          saved={(after) => {
            budget.mutate(() => after);
            close();
          }}
          onClose={close}
        />
      )}
    </section>
  );
}

const inTokens = (n: number): string => `${count(n)} tokens`;

/** What each subject may use, and what one has used that is asked for. */
function OfSubject({ each }: { each: NonNullable<Budget['per_subject']> }) {
  const [name, setName] = useState('');
  const { run, busy, error } = useAction(async () => {
    const { subject } = await request<Budget>('GET', '/v1/usage/budget', { query: { subject: name } });
    setFound(subject);
    return null;
  });
  const [found, setFound] = useState<Budget['subject']>(null);
  const bounds = [
    ...(each.cost_per_month === null ? [] : [dollars(each.cost_per_month)]),
    ...(each.tokens_per_month === null ? [] : [inTokens(each.tokens_per_month)]),
  ];
  return (
    <section aria-label="Each subject">
      <p>
        Each subject may use <strong>{bounds.join(' and ')}</strong>, of all agents together.
      </p>
      <Form
        onSubmit={() => {
          if (name.trim() !== '') run();
        }}
      >
        <TextField label="Subject" value={name} onInput={setName} autocomplete="off" />
        <Button small type="submit" busy={busy}>
          Look up
        </Button>
        <Problem error={error} />
      </Form>
      {found && (
        <>
          <p>What {found.subject} has used:</p>
          {each.cost_per_month !== null && (
            <Bound used={found.used.cost ?? 0} limit={each.cost_per_month} shown={dollars} />
          )}
          {each.tokens_per_month !== null && (
            <Bound used={tokensOf(found.used)} limit={each.tokens_per_month} shown={inTokens} />
          )}
        </>
      )}
    </section>
  );
}

const Bound = ({ used, limit, shown }: { used: number; limit: number; shown: (n: number) => string }) => (
  <>
    <p>
      <strong>{shown(used)}</strong> of {shown(limit)}
    </p>
    <Meter share={used / limit} bad={used >= limit * 0.95} marks={[0.8, 0.95]} />
  </>
);

/** The number in a text; undefined if it is empty, null if it is none that may be set. */
export function readBound(text: string, whole: boolean): number | null | undefined {
  if (text.trim() === '') return undefined;
  const n = Number(text.replaceAll(/[\s_]/g, ''));
  return n > 0 && Number.isFinite(n) && (!whole || Number.isInteger(n)) ? n : null;
}

function BudgetDialog({
  budget,
  saved,
  onClose,
}: {
  budget: Budget;
  saved: (after: Budget) => void;
  onClose: () => void;
}) {
  const [cost, setCost] = useState(String(budget.cost_per_month ?? ''));
  const [tokens, setTokens] = useState(String(budget.tokens_per_month ?? ''));
  const [eachCost, setEachCost] = useState(String(budget.per_subject?.cost_per_month ?? ''));
  const [eachTokens, setEachTokens] = useState(String(budget.per_subject?.tokens_per_month ?? ''));
  const bounds = { cost_per_month: readBound(cost, false), tokens_per_month: readBound(tokens, true) };
  const each = { cost_per_month: readBound(eachCost, false), tokens_per_month: readBound(eachTokens, true) };
  const { run, busy, error } = useAction(async () => {
    saved(await request<Budget>('PUT', '/v1/usage/budget', { body: { ...bounds, per_subject: each } }));
    return 'The budget is set.';
  });
  const isWrong = [...Object.values(bounds), ...Object.values(each)].includes(null);
  const noMoney = 'A number above 0, such as 25.5.';
  const noTokens = 'A whole number above 0.';
  return (
    <Dialog title="Budget of models" onClose={onClose}>
      <Form
        onSubmit={() => {
          if (!isWrong) run();
        }}
      >
        <TextField
          label="US dollars in a month"
          value={cost}
          onInput={setCost}
          autocomplete="off"
          autoFocus
          error={bounds.cost_per_month === null ? noMoney : undefined}
          hint="Empty is no bound. Money counts for models whose prices the operator has named."
        />
        <TextField
          label="Tokens in a month"
          value={tokens}
          onInput={setTokens}
          autocomplete="off"
          error={bounds.tokens_per_month === null ? noTokens : undefined}
          hint="Input and output together. Empty is no bound."
        />
        <TextField
          label="US dollars of each subject in a month"
          value={eachCost}
          onInput={setEachCost}
          autocomplete="off"
          error={each.cost_per_month === null ? noMoney : undefined}
          hint="Of all agents together. What is used is counted from when this is set."
        />
        <TextField
          label="Tokens of each subject in a month"
          value={eachTokens}
          onInput={setEachTokens}
          autocomplete="off"
          error={each.tokens_per_month === null ? noTokens : undefined}
        />
        <Problem error={error} />
        <div class="actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" busy={busy}>
            Save
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
