import { useEffect, useState } from 'preact/hooks';
import type { Run, WorkspaceEvent } from '../../lib/api.js';
import { href } from '../../lib/router.js';
import { follow, type StreamState } from '../../lib/stream.js';
import { AgentLink, HiveLink } from '../../ui/agent-link.js';
import { Button } from '../../ui/button.js';
import { Badge, Time } from '../../ui/labels.js';
import { RunBadge } from '../../ui/run-badge.js';
import { Empty, Problem } from '../../ui/states.js';

const kept = 200;

interface Told {
  n: number;
  event: WorkspaceEvent;
}

/** What happens in the workspace, as it happens; the newest first. */
export function LiveEvents() {
  const [types, setTypes] = useState('');
  const [held, setHeld] = useState(false);
  const [events, setEvents] = useState<readonly Told[]>([]);
  const [state, setState] = useState<StreamState>('connecting');
  const [problem, setProblem] = useState<unknown>(null);
  useEffect(() => {
    if (held) return;
    const controller = new AbortController();
    let n = 0;
    let waiting: Told[] = [];
    let frame = 0;
    const draw = (): void => {
      frame = 0;
      const next = waiting.reverse();
      waiting = [];
      setEvents((before) => [...next, ...before].slice(0, kept));
    };
    setProblem(null);
    follow({
      path: '/v1/events',
      query: { types },
      signal: controller.signal,
      onEvent: ({ data }) => {
        waiting.push({ n: performance.now() + n++ / 1e6, event: JSON.parse(data) as WorkspaceEvent });
        if (frame === 0) frame = requestAnimationFrame(draw);
      },
      onState: setState,
    }).catch(setProblem);
    return () => {
      controller.abort();
      cancelAnimationFrame(frame);
    };
  }, [types, held]);
  return (
    <section class="card flush" aria-label="Live events">
      <div class="card-head">
        <span role="status">
          {held ? (
            <Badge of="paused">held</Badge>
          ) : (
            <Badge of={state}>{state === 'lost' ? 'connection lost, trying again' : state}</Badge>
          )}
        </span>
        <div class="filters">
          <select
            aria-label="Kind"
            value={types}
            onChange={(event) => {
              setEvents([]);
              setTypes(event.currentTarget.value);
            }}
          >
            <option value="">Everything</option>
            <option value="agent">Agents</option>
            <option value="memory">Memories</option>
            <option value="run">Runs</option>
            <option value="message">Messages</option>
            <option value="hive">Hives</option>
            <option value="usage">Usage</option>
          </select>
          <Button
            onClick={() => {
              setHeld(!held);
            }}
          >
            {held ? 'Go on' : 'Hold'}
          </Button>
        </div>
      </div>
      <Problem error={problem} />
      {events.length === 0 ? (
        <Empty
          icon="action"
          title="Nothing has happened since you came"
          command={`curl -N ${location.origin}/v1/events -H "Authorization: Bearer $KEY"`}
        >
          <p>Events are live and not stored. The same stream on a terminal:</p>
        </Empty>
      ) : (
        <ul class="feed" tabIndex={0} aria-label="Events, the newest first">
          {events.map(({ n, event }) => (
            <li key={n}>
              <Time at={event.at} clock />
              <strong>{words[event.type]}</strong>
              <What of={event} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

const words: Readonly<Record<WorkspaceEvent['type'], string>> = {
  'agent.created': 'Agent made',
  'agent.updated': 'Agent changed',
  'agent.deleted': 'Agent deleted',
  'memory.created': 'Remembered',
  'memory.updated': 'Memory changed',
  'memory.deleted': 'Memory deleted',
  'hive.created': 'Hive made',
  'hive.updated': 'Hive changed',
  'hive.deleted': 'Hive deleted',
  'message.received': 'Message came',
  'message.deleted': 'Message deleted',
  'run.status': 'Run',
  'run.deleted': 'Run deleted',
  'usage.alert': 'Usage alert',
};

/** What an event is about: agents, hives and runs as links, and what else it says by name. */
function What({ of: { data } }: { of: WorkspaceEvent }) {
  const { agent_id, hive_id, run_id, status, stopReason, ...others } = data;
  const told = Object.entries(others).filter(
    ([name, value]) =>
      value !== null && !/(^|_)id$|Id$/.test(name) && (typeof value === 'string' || typeof value === 'number'),
  );
  return (
    <span class="row">
      {typeof status === 'string' && (
        <RunBadge run={{ status: status as Run['status'], stopReason: (stopReason ?? null) as Run['stopReason'] }} />
      )}
      {typeof run_id === 'string' && typeof agent_id === 'string' && (
        <a href={href('agents', agent_id, 'runs', run_id)}>the run</a>
      )}
      {typeof agent_id === 'string' && (
        <span>
          of <AgentLink id={agent_id} />
        </span>
      )}
      {typeof hive_id === 'string' && (
        <span>
          in <HiveLink id={hive_id} />
        </span>
      )}
      {told.map(([name, value]) => (
        <span key={name} class="clip">
          {name}: {String(value)}
        </span>
      ))}
    </span>
  );
}
