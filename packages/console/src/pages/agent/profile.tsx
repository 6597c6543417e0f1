/** What an agent keeps in mind of somebody whatever is asked: its blocks, and what was said to be always done. */
import { useState } from 'preact/hooks';
import { path, request, type Agent, type Schema } from '../../lib/api.js';
import { plural } from '../../lib/format.js';
import { href } from '../../lib/router.js';
import { useQuery } from '../../lib/use-query.js';
import { attempt, Button, useAction } from '../../ui/button.js';
import { Confirm } from '../../ui/dialogs.js';
import { Check, TextField } from '../../ui/fields.js';
import { Form } from '../../ui/form.js';
import { Tag, Time } from '../../ui/labels.js';
import { Empty, Needs, Problem, Skeleton } from '../../ui/states.js';

type Profile = Schema<'Profile'>;
type Block = Schema<'Block'>;

export const ProfilePanel = ({ agent }: { agent: Agent }) => (
  <Needs scope="memory:read">
    <OfSubject agent={agent} />
  </Needs>
);

function OfSubject({ agent }: { agent: Agent }) {
  const [typed, setTyped] = useState('');
  const [subject, setSubject] = useState('');
  const url = path`/v1/agents/${agent.id}/profile`;
  const query = subject === '' ? {} : { subject };
  const profile = useQuery(`${url} ${subject}`, (signal) => request<Profile>('GET', url, { query, signal }));
  return (
    <div class="split">
      <div class="stack">
        <section class="card" aria-label="Whose profile">
          <Form
            onSubmit={() => {
              setSubject(typed.trim());
            }}
          >
            <TextField
              label="Subject"
              value={typed}
              onInput={setTyped}
              autocomplete="off"
              hint="An end user, by the name that your program gives. Empty: what is told whoever the agent works for."
            />
            <div class="actions">
              <Button type="submit">Show</Button>
            </div>
          </Form>
        </section>
        {profile.data === null ? (
          profile.error === null ? (
            <Skeleton />
          ) : (
            <Problem error={profile.error} retry={profile.reload} />
          )
        ) : (
          <Shown agent={agent} profile={profile.data} reload={profile.reload} />
        )}
      </div>
      <section class="card" aria-label="New block">
        <h2>New block</h2>
        <NewBlock agent={agent} subject={subject} made={profile.reload} />
      </section>
    </div>
  );
}

function Shown({ agent, profile, reload }: { agent: Agent; profile: Profile; reload: () => void }) {
  const { blocks, entries } = profile;
  return (
    <>
      <section class="card flush" aria-label="Blocks">
        <div class="card-head">
          <h2>Blocks</h2>
          <p>What {agent.name} is told at each step</p>
        </div>
        {blocks.length === 0 ? (
          <Empty icon="memory" title="No block yet">
            <p>A block is a text that is always kept in mind, such as what is known of a user.</p>
          </Empty>
        ) : (
          <ul class="items">
            {blocks.map((block) => (
              <li key={`${block.id} ${block.version}`}>
                <One block={block} reload={reload} />
              </li>
            ))}
          </ul>
        )}
      </section>
      <section class="card flush" aria-label="What is always to be done">
        <div class="card-head">
          <h2>What is always to be done</h2>
          <p>In the words in which it was said</p>
        </div>
        {entries.length === 0 ? (
          <Empty icon="memory" title="Nothing yet">
            <p>“Always answer in French” or “I prefer short answers” is kept here when somebody says it.</p>
          </Empty>
        ) : (
          <ul class="items">
            {entries.map((entry) => (
              <li key={entry.id}>
                <Entry agent={agent} subject={profile.subject} entry={entry} reload={reload} />
              </li>
            ))}
          </ul>
        )}
      </section>
    </>
  );
}

function Entry({
  agent,
  subject,
  entry,
  reload,
}: {
  agent: Agent;
  subject: string | null;
  entry: Profile['entries'][number];
  reload: () => void;
}) {
  const { id, text, kind, since, evidence } = entry;
  return (
    <>
      <div class="row between">
        <p class="text">{text}</p>
        <Button
          small
          kind="danger"
          needs="memory:write"
          label={`Take out: ${text.slice(0, 40)}`}
          onClick={() => {
            const query = subject === null ? {} : { subject };
            attempt(
              request('DELETE', path`/v1/agents/${agent.id}/profile/${id}`, { query }).then(reload),
              'It is heeded no more, until it is said again.',
            );
          }}
        >
          Take out
        </Button>
      </div>
      <div class="meta">
        <Tag>{kind}</Tag>
        <span>
          said {plural(evidence.length, 'time', 'times')}, first <Time at={since} />
        </span>
        {evidence.flatMap(({ run_id: run }) =>
          run === null ? (
            []
          ) : (
            <a key={run} href={href('agents', agent.id, 'runs', run)}>
              where
            </a>
          ),
        )}
      </div>
    </>
  );
}

const urlOf = ({ agent_id, label }: Pick<Block, 'agent_id' | 'label'>): string =>
  path`/v1/agents/${agent_id}/blocks/${label}`;
const queryOf = ({ subject }: Pick<Block, 'subject'>): { subject?: string } => (subject === null ? {} : { subject });

function One({ block, reload }: { block: Block; reload: () => void }) {
  const { label, description, value, read_only, by, updated_at, subject, versions } = block;
  const [text, setText] = useState(value);
  const [deleting, setDeleting] = useState(false);
  const [before] = versions;
  const change = (body: object): Promise<void> =>
    request('PATCH', urlOf(block), {
      query: queryOf(block),
      body,
      // the version of the block that is shown here (gateway/http/etag.ts)
      headers: { 'If-Match': `"${Date.parse(updated_at).toString(36)}-"` },
    }).then(reload);
  return (
    <>
      <TextField
        label={description === '' ? label : `${label}: ${description}`}
        value={text}
        onInput={setText}
        rows={3}
      />
      <div class="actions">
        <Button
          small
          needs="memory:write"
          label={`Save ${label}`}
          onClick={() => {
            attempt(change({ value: text }), 'Saved.');
          }}
        >
          Save
        </Button>
        {before !== undefined && (
          <Button
            small
            needs="memory:write"
            label={`Undo ${label}`}
            onClick={() => {
              attempt(change({ restore: before.version }), 'It says again what it said before.');
            }}
          >
            Undo
          </Button>
        )}
        <Button
          small
          kind="danger"
          needs="memory:write"
          label={`Delete ${label}`}
          onClick={() => {
            setDeleting(true);
          }}
        >
          Delete
        </Button>
      </div>
      <div class="meta">
        {subject === null && <Tag>for all</Tag>}
        {read_only && <Tag>read-only</Tag>}
        <span>
          by the {by}, <Time at={updated_at} />
        </span>
      </div>
      {deleting && (
        <Confirm
          title={`Delete the block ${label}?`}
          verb="Delete"
          act={async () => {
            await request('DELETE', urlOf(block), { query: queryOf(block) });
            reload();
            return 'It is told no more.';
          }}
          onClose={() => {
            setDeleting(false);
          }}
        >
          <p>What it said before goes with it.</p>
        </Confirm>
      )}
    </>
  );
}

function NewBlock({ agent, subject, made }: { agent: Agent; subject: string; made: () => void }) {
  const [label, setLabel] = useState('');
  const [description, setDescription] = useState('');
  const [value, setValue] = useState('');
  const [readOnly, setReadOnly] = useState(false);
  const { run, busy, error } = useAction(async () => {
    await request('PUT', path`/v1/agents/${agent.id}/blocks/${label}`, {
      query: subject === '' ? {} : { subject },
      body: { value, description, read_only: readOnly },
    });
    setLabel('');
    setValue('');
    made();
    return 'It is told from the next run on.';
  });
  return (
    <Form onSubmit={run}>
      <TextField
        label="Label"
        value={label}
        onInput={setLabel}
        autocomplete="off"
        hint="name, language and timezone say who the subject is, and where."
      />
      <TextField label="What it is for (optional)" value={description} onInput={setDescription} autocomplete="off" />
      <TextField label="What it says" value={value} onInput={setValue} rows={3} />
      <Check label="Only clients change it" checked={readOnly} onChange={setReadOnly} />
      <Problem error={error} />
      <div class="actions">
        <Button kind="primary" type="submit" needs="memory:write" busy={busy}>
          Keep in mind
        </Button>
      </div>
    </Form>
  );
}
