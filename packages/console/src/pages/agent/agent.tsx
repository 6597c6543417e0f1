import { useState } from 'preact/hooks';
import { path, request, type Agent } from '../../lib/api.js';
import { noteNames } from '../../lib/names.js';
import { plural } from '../../lib/format.js';
import { go, href } from '../../lib/router.js';
import { useQuery, type Loaded } from '../../lib/use-query.js';
import { AgentLink } from '../../ui/agent-link.js';
import { attempt, Button } from '../../ui/button.js';
import { Confirm } from '../../ui/dialogs.js';
import { Badge, Tag, Time } from '../../ui/labels.js';
import { PageHead, Tabs } from '../../ui/page-head.js';
import { Needs, Problem, Skeleton } from '../../ui/states.js';
import { ExportButton } from '../../ui/transfer.js';
import { LongText } from '../../ui/long-text.js';
import { MemoryPanel } from '../../ui/memories.js';
import { AgentForm } from '../agent-form.js';
import { RunTable, StartRun } from '../runs.js';
import { A2a } from './a2a.js';
import { Chat } from './chat.js';
import { Mailbox } from './mailbox.js';
import { ProfilePanel } from './profile.js';
import { Schedules } from './schedules.js';
import { Tokens } from './tokens.js';
import { Tools } from './tools.js';

const tabs = [
  ['chat', 'Chat'],
  ['memories', 'Memories'],
  ['profile', 'Profile'],
  ['mailbox', 'Mailbox'],
  ['runs', 'Runs'],
  ['schedules', 'Schedules'],
  ['tools', 'Tools'],
  ['tokens', 'Tokens'],
  ['a2a', 'A2A and MCP'],
  ['settings', 'Settings'],
] as const;

export function AgentPage({ id, tab }: { id: string; tab: string }) {
  const agent = useQuery(id, async (signal) => {
    const found = await request<Agent>('GET', path`/v1/agents/${id}`, { signal });
    noteNames([found]);
    return found;
  });
  return (
    <Needs scope="agent:read">
      {agent.data === null ? (
        agent.error === null ? (
          <Skeleton />
        ) : (
          <>
            <PageHead title="Agent" crumbs={<a href={href('agents')}>Agents</a>} />
            <Problem error={agent.error} retry={agent.reload} />
          </>
        )
      ) : (
        <Loadable agent={agent.data} loaded={agent} tab={tab} />
      )}
    </Needs>
  );
}

function Loadable({ agent, loaded, tab }: { agent: Agent; loaded: Loaded<Agent>; tab: string }) {
  return (
    <>
      <PageHead title={agent.name} crumbs={<a href={href('agents')}>Agents</a>}>
        {agent.description !== '' && <LongText text={agent.description} brief />}
        <div class="row facts-row">
          <Badge of={agent.status} />
          <Tag>{[agent.config.model ?? 'built-in'].flat().join(', ')}</Tag>
          {agent.config.multi_step === true && <Tag>multi-step</Tag>}
          {agent.wake_on_message && <Tag>wakes on messages</Tag>}
          {agent.config.validation_gate !== undefined && agent.config.validation_gate !== 'none' && (
            <Tag>asks before {agent.config.validation_gate === 'action' ? 'it acts' : 'it answers'}</Tag>
          )}
          {agent.spawned_by !== undefined && (
            <span class="hint">
              spawned by <AgentLink id={agent.spawned_by} />
              {agent.ends_at !== undefined && (
                <>
                  , ends <Time at={agent.ends_at} />
                </>
              )}
            </span>
          )}
          <span class="hint">
            {plural(agent.memory_count, 'memory', 'memories')} · active <Time at={agent.last_active_at} />
          </span>
        </div>
      </PageHead>
      <Tabs
        label={`Parts of ${agent.name}`}
        tabs={tabs.map(([name, text]) => [name, href('agents', agent.id, name), text])}
        current={tab}
      />
      <Tab agent={agent} loaded={loaded} tab={tab} />
    </>
  );
}

function Tab({ agent, loaded, tab }: { agent: Agent; loaded: Loaded<Agent>; tab: string }) {
  switch (tab) {
    case 'memories':
      return <MemoryPanel scope={{ agent_id: agent.id }} />;
    case 'profile':
      return <ProfilePanel agent={agent} />;
    case 'mailbox':
      return <Mailbox agent={agent} />;
    case 'runs':
      return (
        <div class="stack">
          <StartRun agent={agent} />
          <RunTable agent={agent.id} />
        </div>
      );
    case 'schedules':
      return <Schedules agent={agent} />;
    case 'tools':
      return <Tools agent={agent} />;
    case 'tokens':
      return <Tokens agent={agent} />;
    case 'a2a':
      return <A2a agent={agent} />;
    case 'settings':
      return <Settings agent={agent} loaded={loaded} />;
    default:
      return <Chat key={agent.id} agent={agent} />;
  }
}

/** What the button does that leads from a status to the next. */
const switches = { active: 'Deactivate', inactive: 'Activate', terminated: 'Set inactive' };

function Settings({ agent, loaded }: { agent: Agent; loaded: Loaded<Agent> }) {
  const [deleting, setDeleting] = useState(false);
  const [ending, setEnding] = useState(false);
  const change = (patch: object): Promise<Agent> =>
    request<Agent>('PATCH', path`/v1/agents/${agent.id}`, { body: patch }).then((changed) => {
      noteNames([changed]);
      loaded.mutate(() => changed);
      return changed;
    });
  const switchTo = (status: 'active' | 'inactive'): void => {
    const before = agent.status;
    attempt(
      change({ status }),
      status === 'active' ? `${agent.name} works again.` : `${agent.name} takes no messages and runs for now.`,
      () => {
        attempt(change({ status: before }), 'Undone.');
      },
    );
  };
  return (
    <div class="split">
      <section class="card" aria-label="Settings">
        <h2>Settings</h2>
        <AgentForm
          key={agent.updated_at}
          agent={agent}
          verb="Save"
          save={async (input) => {
            await change(input);
            return 'Saved.';
          }}
        />
      </section>
      <section class="card" aria-label="Availability">
        <h2>Availability</h2>
        <p class="hint">
          {agent.status === 'terminated'
            ? 'It is terminated: its runs were cancelled, and it can be read and deleted. Set it inactive to bring it back.'
            : 'An inactive agent refuses messages, runs and tasks. Terminating cancels its runs, too, and keeps what it knows.'}
        </p>
        <div class="actions">
          <Button
            needs="agent:manage"
            onClick={() => {
              switchTo(agent.status === 'inactive' ? 'active' : 'inactive');
            }}
          >
            {switches[agent.status]}
          </Button>
          {agent.status !== 'terminated' && (
            <Button
              kind="danger"
              needs="agent:manage"
              onClick={() => {
                setEnding(true);
              }}
            >
              Terminate…
            </Button>
          )}
        </div>
        <h2>Export</h2>
        <p class="hint">Its settings, memories, messages and runs, as lines of JSON. Tokens are not in it.</p>
        <ExportButton name={agent.name} agent={agent.id}>
          {`Export ${agent.name}`}
        </ExportButton>
        <h2>Delete</h2>
        <p class="hint">
          Deletes its memories, runs, tokens, mailbox, and what it shared in hives. This cannot be undone.
        </p>
        <div class="actions">
          <Button
            kind="danger"
            needs="agent:manage"
            onClick={() => {
              setDeleting(true);
            }}
          >
            Delete {agent.name}…
          </Button>
        </div>
      </section>
      {ending && (
        <Confirm
          title={`Terminate ${agent.name}?`}
          verb="Terminate"
          act={async () => {
            await change({ status: 'terminated' });
            return `${agent.name} is terminated.`;
          }}
          onClose={() => {
            setEnding(false);
          }}
        >
          <p>Its runs are cancelled. What it knows stays readable, and it can be set inactive later.</p>
        </Confirm>
      )}
      {deleting && (
        <Confirm
          title={`Delete ${agent.name}?`}
          verb="Delete for good"
          typed={agent.name}
          act={async () => {
            await request('DELETE', path`/v1/agents/${agent.id}`);
            go(href('agents'));
            return `${agent.name} is gone, with everything that belonged to it.`;
          }}
          onClose={() => {
            setDeleting(false);
          }}
        >
          <p>
            With it go {plural(agent.memory_count, 'memory', 'memories')}, its runs, tokens and mailbox. Nothing of it
            can be brought back.
          </p>
        </Confirm>
      )}
    </div>
  );
}
