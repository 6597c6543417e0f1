import { useEffect, useState } from 'preact/hooks';
import { request, type Agent } from '../lib/api.js';
import { noteNames } from '../lib/names.js';
import { count } from '../lib/format.js';
import { go, href, place, setFilter } from '../lib/router.js';
import { useStore } from '../lib/store.js';
import { useList } from '../lib/use-query.js';
import { Icon } from '../ui/icons.js';
import { Button } from '../ui/button.js';
import { Dialog } from '../ui/dialogs.js';
import { Badge, Tag, Time } from '../ui/labels.js';
import { ListTable } from '../ui/list.js';
import { PageHead } from '../ui/page-head.js';
import { Empty, Needs } from '../ui/states.js';
import { AgentForm } from './agent-form.js';

const spawnCommand = `curl -X POST ${location.origin}/v1/agents/spawn \\
  -H "Authorization: Bearer $KEY" -H "Content-Type: application/json" \\
  -d '{"name": "Ada", "description": "keeps the launch plan"}'`;

export function Agents() {
  const { query } = useStore(place);
  const name = query.get('name') ?? '';
  const status = query.get('status') ?? '';
  const sort = query.get('sort') ?? '';
  const [spawning, setSpawning] = useState(query.has('spawn'));
  return (
    <>
      <PageHead
        title="Agents"
        actions={
          <Button
            kind="primary"
            needs="agent:spawn"
            onClick={() => {
              setSpawning(true);
            }}
          >
            <Icon name="plus" />
            Spawn an agent
          </Button>
        }
      >
        <p>Each has a memory of its own, a mailbox, and runs that survive crashes.</p>
      </PageHead>
      <Needs scope="agent:read">
        <div class="card flush">
          <div class="card-head">
            <Filters name={name} status={status} sort={sort} />
          </div>
          <AgentTable name={name} status={status} sort={sort} />
        </div>
      </Needs>
      {spawning && (
        <SpawnDialog
          onClose={() => {
            setSpawning(false);
          }}
        />
      )}
    </>
  );
}

function Filters({ name, status, sort }: { name: string; status: string; sort: string }) {
  const [typed, setTyped] = useState(name);
  useEffect(() => {
    if (typed === name) return;
    const timer = setTimeout(() => {
      setFilter('name', typed);
    }, 250);
    return () => {
      clearTimeout(timer);
    };
  }, [typed, name]);
  return (
    <div class="filters" role="search">
      <input
        class="input"
        type="search"
        aria-label="Search agents by name"
        placeholder="Search by name"
        value={typed}
        onInput={(event) => {
          setTyped(event.currentTarget.value);
        }}
      />
      <select
        aria-label="Status"
        value={status}
        onChange={(event) => {
          setFilter('status', event.currentTarget.value);
        }}
      >
        <option value="">Any status</option>
        <option value="active">Active</option>
        <option value="inactive">Inactive</option>
        <option value="terminated">Terminated</option>
      </select>
      <select
        aria-label="Order"
        value={sort}
        onChange={(event) => {
          setFilter('sort', event.currentTarget.value);
        }}
      >
        <option value="">Newest first</option>
        <option value="updated_at">Changed last</option>
      </select>
    </div>
  );
}

function AgentTable({ name, status, sort }: { name: string; status: string; sort: string }) {
  const list = useList<Agent>('/v1/agents', { name, status, sort });
  const { items } = list;
  useEffect(() => {
    noteNames(items);
  }, [items]);
  const filtered = name !== '' || status !== '';
  const begins = items.some((agent) => agent.name.toLowerCase().startsWith(name.trim().toLowerCase()));
  return (
    <>
      {name.trim() !== '' && list.data !== null && !begins && (
        <p class="inset hint" role="status">
          No name begins with “{name}”. {items.length === 0 ? 'Nor is it in' : 'These have it among'} the first 1,000
          names of the workspace; others are found by their beginning.
        </p>
      )}
      <ListTable
        list={list}
        noun="agents"
        empty={
          filtered ? (
            <Empty icon="recall" title="No agent matches">
              <p>Search by the beginning of a name, or clear the search to see all agents.</p>
            </Empty>
          ) : (
            <Empty title="There is no agent yet" command={spawnCommand}>
              <p>Spawn the first one with the button above, or from a terminal:</p>
            </Empty>
          )
        }

        columns={[
          {
            title: 'Name',
            kind: 'primary',
            cell: (agent) => (
              <>
                <a href={href('agents', agent.id)}>{agent.name}</a>
                {agent.description !== '' && <small class="clip">{agent.description}</small>}
              </>
            ),
          },
          { title: 'Status', labelled: false, cell: (agent) => <Badge of={agent.status} /> },
          {
            title: 'Works',
            cell: (agent) => (
              <span class="row">
                <Tag>{[agent.config.model ?? 'built-in'].flat().join(', ')}</Tag>
                {agent.config.multi_step === true && <Tag>multi-step</Tag>}
                {agent.wake_on_message && <Tag>wakes</Tag>}
              </span>
            ),
          },
          { title: 'Memories', kind: 'number', cell: (agent) => count(agent.memory_count) },
          { title: 'Last active', cell: (agent) => <Time at={agent.last_active_at} /> },
        ]}
      />
    </>
  );
}

const SpawnDialog = ({ onClose }: { onClose: () => void }) => (
  <Dialog title="Spawn an agent" onClose={onClose}>
    <AgentForm
      verb="Spawn"
      save={async (input) => {
        const agent = await request<Agent>('POST', '/v1/agents/spawn', { body: input });
        onClose();
        go(href('agents', agent.id));
        return `Spawned ${agent.name}.`;
      }}
    />
  </Dialog>
);
