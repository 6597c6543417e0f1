/** Who has written to whom in the last hour, as a graph and as a table. */
import { useEffect, useState } from 'preact/hooks';
import { request, type Schema } from '../lib/api.js';
import { nameOf } from '../lib/names.js';
import { count, plural } from '../lib/format.js';
import { href } from '../lib/router.js';
import { can } from '../lib/session.js';
import { useQuery } from '../lib/use-query.js';
import { AgentLink } from '../ui/agent-link.js';
import { Empty, Problem, Skeleton } from '../ui/states.js';

type Pair = Schema<'Traffic'>['pairs'][number];

/** More nodes than this cannot be told apart; the table has every pair that the service tells. */
const drawn = 16;

export function Traffic() {
  const traffic = useQuery(
    'traffic',
    (signal) => request<Schema<'Traffic'>>('GET', '/v1/mailbox/traffic', { signal }),
    {
      every: 15,
      keep: true,
      when: can('agent:read'),
    },
  );
  const { data, error } = traffic;
  if (!can('agent:read')) return null;
  return (
    <section class="card" aria-label="Who writes to whom">
      <div class="card-head">
        <h2>Who writes to whom</h2>
        {data !== null && (
          <p>
            {data.complete ? '' : 'more than '}
            {plural(data.messages, 'message')} in the last hour
          </p>
        )}
      </div>
      {data === null ? (
        error === null ? (
          <Skeleton />
        ) : (
          <Problem error={error} retry={traffic.reload} />
        )
      ) : data.pairs.length === 0 ? (
        <Empty icon="mail" title="No message in the last hour">
          <p>
            Say <em>Tell Bob: the launch moved</em> to an agent, and an arrow appears here.
          </p>
        </Empty>
      ) : (
        <>
          <Graph pairs={data.pairs} />
          <PairTable pairs={data.pairs} />
        </>
      )}
    </section>
  );
}

/** The agents with the most traffic, at most as many as can be drawn. */
function busiest(pairs: readonly Pair[]): readonly string[] {
  const sums = new Map<string, number>();
  for (const { from, to, count: n } of pairs) for (const id of [from, to]) sums.set(id, (sums.get(id) ?? 0) + n);
  return [...sums]
    .sort(([, a], [, b]) => b - a)
    .slice(0, drawn)
    .map(([id]) => id);
}

const width = 720;
const height = 420;
const radius = 14;

function Graph({ pairs }: { pairs: readonly Pair[] }) {
  const ids = busiest(pairs);
  const names = useNames(ids);
  const place = (id: string): readonly [number, number] => {
    const angle = (2 * Math.PI * ids.indexOf(id)) / ids.length - Math.PI / 2;
    return [width / 2 + Math.cos(angle) * (width / 2 - 110), height / 2 + Math.sin(angle) * (height / 2 - 50)];
  };
  const edges = pairs.filter(({ from, to }) => from !== to && ids.includes(from) && ids.includes(to));
  const most = Math.max(1, ...edges.map((edge) => edge.count));
  return (
    <svg
      class="graph"
      viewBox={`0 0 ${width} ${height}`}
      role="group"
      aria-label="Graph; the table below says the same"
    >
      <defs>
        <marker
          id="arrow"
          viewBox="0 0 8 8"
          refX="7"
          refY="4"
          markerWidth="9"
          markerHeight="9"
          markerUnits="userSpaceOnUse"
          orient="auto"
        >
          <path class="arrow" d="M0 0L8 4L0 8z" />
        </marker>
      </defs>
      {edges.map((edge) => (
        <path
          key={`${edge.from} ${edge.to}`}
          class={`edge ${edge.count > most / 2 ? 'hot' : ''}`}
          d={curve(place(edge.from), place(edge.to))}
          stroke-width={1 + (4 * edge.count) / most}
          marker-end="url(#arrow)"
        />
      ))}
      {ids.map((id) => {
        const [x, y] = place(id);
        const name = names.get(id) ?? (id === 'external' ? 'clients' : id);
        const shown = name.length > 22 ? `${name.slice(0, 21)}…` : name;
        const node = (
          <>
            <circle cx={x} cy={y} r={radius} />
            <text x={x} y={y + radius + 16} text-anchor="middle">
              {shown}
            </text>
          </>
        );
        return id === 'external' ? (
          <g key={id} class="node outside">
            {node}
          </g>
        ) : (
          <a
            key={id}
            class="node"
            href={href('agents', id, 'mailbox')}
            aria-label={shown === name ? `The mailbox of ${name}` : `${shown}, the mailbox of ${name}`}
          >
            {node}
          </a>
        );
      })}
    </svg>
  );
}

/** An arc from edge to edge of the two circles; there and back are two arcs. */
function curve([x1, y1]: readonly [number, number], [x2, y2]: readonly [number, number]): string {
  const length = Math.hypot(x2 - x1, y2 - y1) || 1;
  const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
  const [mx, my] = [(x1 + x2) / 2 - dy * length * 0.14, (y1 + y2) / 2 + dx * length * 0.14];
  const start = [x1 + dx * radius, y1 + dy * radius];
  const end = [x2 - dx * (radius + 3), y2 - dy * (radius + 3)];
  return `M${start.join(' ')}Q${mx} ${my} ${end.join(' ')}`;
}

function useNames(ids: readonly string[]): ReadonlyMap<string, string> {
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map());
  const key = ids.join(' ');
  useEffect(() => {
    let here = true;
    const agents = key.split(' ').filter((id) => id.startsWith('agent_'));
    void Promise.all(agents.map(async (id) => [id, await nameOf(id)] as const)).then((pairs) => {
      if (here) setNames(new Map(pairs));
    });
    return () => {
      here = false;
    };
  }, [key]);
  return names;
}

const PairTable = ({ pairs }: { pairs: readonly Pair[] }) => (
  <details>
    <summary>As a table</summary>
    <div class="table-wrap">
      <table class="rows">
        <thead>
          <tr>
            <th scope="col">From</th>
            <th scope="col">To</th>
            <th scope="col" class="number">
              Messages
            </th>
          </tr>
        </thead>
        <tbody>
          {pairs.slice(0, 100).map(({ from, to, count: n }) => (
            <tr key={`${from} ${to}`}>
              <td data-label="From">
                <AgentLink id={from} />
              </td>
              <td data-label="To">
                <AgentLink id={to} />
              </td>
              <td class="number" data-label="Messages">
                {count(n)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  </details>
);
