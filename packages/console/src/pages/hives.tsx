import { useState } from 'preact/hooks';
import { path, request, type Agent, type Hive } from '../lib/api.js';
import { count, plural } from '../lib/format.js';
import { go, href } from '../lib/router.js';
import { useList, useQuery } from '../lib/use-query.js';
import { AgentField } from '../ui/agent-link.js';
import { Icon } from '../ui/icons.js';
import { LongText } from '../ui/long-text.js';
import { MemoryPanel } from '../ui/memories.js';
import { Button, attempt, useAction } from '../ui/button.js';
import { Confirm, Dialog } from '../ui/dialogs.js';
import { TextField } from '../ui/fields.js';
import { Badge, Time } from '../ui/labels.js';
import { List, ListTable } from '../ui/list.js';
import { PageHead, Tabs } from '../ui/page-head.js';
import { Empty, Needs, Problem, Skeleton } from '../ui/states.js';
import { Traffic } from './traffic.js';

export function Hives() {
  const [making, setMaking] = useState(false);
  return (
    <>
      <PageHead
        title="Hives"
        actions={
          <Button
            kind="primary"
            needs="hive:write"
            onClick={() => {
              setMaking(true);
            }}
          >
            <Icon name="plus" />
            Make a hive
          </Button>
        }
      >
        <p>What one member shares, all members recall.</p>
      </PageHead>
      <Needs scope="hive:read">
        <HiveTable />
      </Needs>
      <Traffic />
      {making && (
        <Dialog
          title="Make a hive"
          onClose={() => {
            setMaking(false);
          }}
        >
          <HiveForm
            verb="Make it"
            save={async (input) => {
              const hive = await request<Hive>('POST', '/v1/hives', { body: input });
              go(href('hives', hive.id));
              return `Created the hive ${hive.name}.`;
            }}
          />
        </Dialog>
      )}
    </>
  );
}

function HiveTable() {
  const list = useList<Hive>('/v1/hives');
  return (
    <div class="card flush">
      <ListTable
        list={list}
        noun="hives"
        empty={
          <Empty
            icon="hives"
            title="There is no hive yet"
            command={`curl -X POST ${location.origin}/v1/hives \\
  -H "Authorization: Bearer $KEY" -H "Content-Type: application/json" \\
  -d '{"name": "Launch team"}'`}
          >
            <p>Agents outside a hive know only what they were told themselves. Make one with the button, or by:</p>
          </Empty>
        }

        columns={[
          {
            title: 'Name',
            kind: 'primary',
            cell: (hive) => (
              <>
                <a href={href('hives', hive.id)}>{hive.name}</a>
                {hive.description !== '' && <small class="clip">{hive.description}</small>}
              </>
            ),
          },
          { title: 'Shared memories', kind: 'number', cell: (hive) => count(hive.memory_count) },
          { title: 'Made', cell: (hive) => <Time at={hive.created_at} /> },
        ]}
      />
    </div>
  );
}

interface HiveInput {
  name: string;
  description: string;
}

function HiveForm({
  hive,
  verb,
  save,
}: {
  hive?: Hive;
  verb: string;
  save: (input: HiveInput) => Promise<string | null>;
}) {
  const [name, setName] = useState(hive?.name ?? '');
  const [description, setDescription] = useState(hive?.description ?? '');
  const [complaint, setComplaint] = useState<string>();
  const { run, busy, error } = useAction(save);
  return (
    <form
      class="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setComplaint(name.trim() === '' ? 'A hive needs a name.' : undefined);
        if (name.trim() !== '') run({ name, description });
      }}
    >
      <TextField label="Name" value={name} onInput={setName} error={complaint} autoFocus={hive === undefined} />
      <TextField label="Description" value={description} onInput={setDescription} />
      <Problem error={error} />
      <div class="actions">
        <Button kind="primary" type="submit" busy={busy} needs="hive:write">
          {verb}
        </Button>
      </div>
    </form>
  );
}

export function HivePage({ id, tab }: { id: string; tab: string }) {
  const hive = useQuery(id, (signal) => request<Hive>('GET', path`/v1/hives/${id}`, { signal }));
  const crumbs = <a href={href('hives')}>Hives</a>;
  if (hive.data === null)
    return (
      <Needs scope="hive:read">
        <PageHead title="Hive" crumbs={crumbs} />
        {hive.error === null ? <Skeleton /> : <Problem error={hive.error} retry={hive.reload} />}
      </Needs>
    );
  return (
    <>
      <PageHead title={hive.data.name} crumbs={crumbs}>
        {hive.data.description !== '' && <LongText text={hive.data.description} brief />}
      </PageHead>
      <Tabs
        label={`Parts of ${hive.data.name}`}
        tabs={[
          ['knowledge', href('hives', id, 'knowledge'), 'Shared knowledge'],
          ['members', href('hives', id, 'members'), 'Members'],
          ['settings', href('hives', id, 'settings'), 'Settings'],
        ]}
        current={tab}
      />
      {tab === 'members' ? (
        <Members hive={hive.data} />
      ) : tab === 'settings' ? (
        <HiveSettings hive={hive.data} onChange={hive.reload} />
      ) : (
        <MemoryPanel scope={{ hive_id: id }} />
      )}
    </>
  );
}

function Members({ hive }: { hive: Hive }) {
  const url = path`/v1/hives/${hive.id}/agents`;
  const list = useList<Agent>(url);
  const [joining, setJoining] = useState('');
  const { run, busy, error } = useAction(async () => {
    const agent = await request<Agent>('POST', url, { body: { agent_id: joining } });
    setJoining('');
    list.reload();
    return `${agent.name} is a member.`;
  });
  const remove = (agent: Agent): void => {
    attempt(
      request('DELETE', `${url}/${encodeURIComponent(agent.id)}`).then(list.reload),
      `${agent.name} is no member any more.`,
      () => {
        attempt(request('POST', url, { body: { agent_id: agent.id } }).then(list.reload), `${agent.name} is back.`);
      },
    );
  };
  return (
    <div class="split">
      <section class="card flush" aria-label="Members">
        <List
          list={list}
          noun="members"
          empty={
            <Empty icon="agents" title="It has no members">
              <p>Add one with the form. Members recall what is shared here, and can share.</p>
            </Empty>
          }
        >
          {(agents) => (
            <ul class="items">
              {agents.map((agent) => (
                <li key={agent.id}>
                  <div class="row between">
                    <span class="row">
                      <a href={href('agents', agent.id)}>{agent.name}</a>
                      <Badge of={agent.status} />
                    </span>
                    <Button
                      small
                      kind="quiet"
                      needs="hive:write"
                      label={`Remove ${agent.name}`}
                      onClick={() => {
                        remove(agent);
                      }}
                    >
                      Remove
                    </Button>
                  </div>
                </li>
              ))}
            </ul>
          )}
        </List>
      </section>
      <form
        class="card form"
        aria-label="Add a member"
        onSubmit={(event) => {
          event.preventDefault();
          if (joining !== '') run();
        }}
      >
        <h2>Add a member</h2>
        <AgentField label="Agent" value={joining} onInput={setJoining} />
        <Problem error={error} />
        <div class="actions">
          <Button kind="primary" type="submit" busy={busy} needs="hive:write">
            Add
          </Button>
        </div>
      </form>
    </div>
  );
}

function HiveSettings({ hive, onChange }: { hive: Hive; onChange: () => void }) {
  const [deleting, setDeleting] = useState(false);
  const url = path`/v1/hives/${hive.id}`;
  return (
    <div class="split">
      <section class="card" aria-label="Settings">
        <h2>Settings</h2>
        <HiveForm
          key={hive.updated_at}
          hive={hive}
          verb="Save"
          save={async (input) => {
            await request('PATCH', url, { body: input });
            onChange();
            return 'Saved.';
          }}
        />
      </section>
      <section class="card" aria-label="Delete">
        <h2>Delete</h2>
        <p class="hint">Deletes what is shared in it. Its members stay, with their own memories.</p>
        <div class="actions">
          <Button
            kind="danger"
            needs="hive:write"
            onClick={() => {
              setDeleting(true);
            }}
          >
            Delete {hive.name}…
          </Button>
        </div>
      </section>
      {deleting && (
        <Confirm
          title={`Delete ${hive.name}?`}
          verb="Delete for good"
          typed={hive.name}
          act={async () => {
            await request('DELETE', url);
            go(href('hives'));
            return `${hive.name} is gone.`;
          }}
          onClose={() => {
            setDeleting(false);
          }}
        >
          <p>
            With it go {plural(hive.memory_count, 'shared memory', 'shared memories')}. They cannot be brought back.
          </p>
        </Confirm>
      )}
    </div>
  );
}
