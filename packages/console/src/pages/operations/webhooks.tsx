/** The webhooks of the workspace: what each is told, whether it takes it, and its secret, which is shown once. */
import { useState } from 'preact/hooks';
import { path, request, type Schema } from '../../lib/api.js';
import { useList } from '../../lib/use-query.js';
import { AgentLink } from '../../ui/agent-link.js';
import { attempt, Button, useAction } from '../../ui/button.js';
import { Confirm, Dialog, SecretDialog } from '../../ui/dialogs.js';
import { Check, TextField } from '../../ui/fields.js';
import { Badge, Tag, Time } from '../../ui/labels.js';
import { List } from '../../ui/list.js';
import { Empty, Problem } from '../../ui/states.js';
import { say } from '../../ui/toasts.js';
import { Form } from '../../ui/form.js';

type Webhook = Schema<'Webhook'>;
type Event = Webhook['events'][number];

const events: readonly (readonly [Event, string])[] = [
  ['run.completed', 'a run has ended with an answer'],
  ['run.failed', 'a run has failed'],
  ['run.timed_out', 'a run has run out of time'],
  ['run.cancelled', 'a run was cancelled'],
  ['run.input_required', 'a run waits for an answer, an approval or results'],
  ['message.received', 'an agent has got a mailbox message'],
  ['memory.created', 'a memory was made'],
  ['memory.updated', 'a memory was changed'],
  ['memory.deleted', 'a memory was deleted'],
  ['agent.created', 'an agent was made'],
  ['agent.updated', 'the settings of an agent were changed'],
  ['usage.alert', 'memories or models of the month have reached a threshold'],
];

export function Webhooks() {
  const list = useList<Webhook>('/v1/webhooks');
  const [editing, setEditing] = useState<Webhook | 'new' | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  return (
    <section class="card flush" aria-label="Webhooks">
      <div class="card-head row between">
        <div>
          <h2>Webhooks</h2>
          <p>URLs that are told what happens, signed as Standard Webhooks has it</p>
        </div>
        <Button
          onClick={() => {
            setEditing('new');
          }}
        >
          Add a webhook
        </Button>
      </div>
      <List
        list={list}
        noun="webhooks"
        empty={
          <Empty icon="mail" title="Nobody is told anything">
            <p>A webhook tells a program of yours when a run ends or waits, and what else happens here.</p>
          </Empty>
        }
      >
        {(webhooks) => (
          <ul class="items">
            {webhooks.map((webhook) => (
              <li key={webhook.id}>
                <One
                  webhook={webhook}
                  reload={list.reload}
                  edit={() => {
                    setEditing(webhook);
                  }}
                  show={setSecret}
                />
              </li>
            ))}
          </ul>
        )}
      </List>
      {editing !== null && (
        <WebhookDialog
          webhook={editing === 'new' ? null : editing}
          saved={(made) => {
            list.reload();
            if (made !== null) setSecret(made);
          }}
          onClose={() => {
            setEditing(null);
          }}
        />
      )}
      {secret !== null && (
        <SecretDialog
          title="The secret of the webhook"
          secret={secret}
          onClose={() => {
            setSecret(null);
          }}
        />
      )}
    </section>
  );
}

function One({
  webhook,
  reload,
  edit,
  show,
}: {
  webhook: Webhook;
  reload: () => void;
  edit: () => void;
  show: (secret: string) => void;
}) {
  const { id, url, enabled, failing, description, agent_id } = webhook;
  const [asking, setAsking] = useState<'delete' | 'rotate' | null>(null);
  const at = path`/v1/webhooks/${id}`;
  const test = useAction(async () => {
    const { delivered, reason } = await request<Schema<'WebhookTest'>>('POST', `${at}/test`);
    if (!delivered) say(`It was not delivered: ${reason ?? ''}`, { bad: true });
    return delivered ? 'The test was delivered.' : null;
  });
  const close = (): void => {
    setAsking(null);
  };
  return (
    <>
      <div class="row between">
        <code class="break">{url}</code>
        <div class="actions">
          <Button small label={`Test ${url}`} busy={test.busy} onClick={test.run}>
            Test
          </Button>
          <Button small label={`Change ${url}`} onClick={edit}>
            Change
          </Button>
          <Button
            small
            label={`${enabled ? 'Disable' : 'Enable'} ${url}`}
            onClick={() => {
              attempt(
                request('PATCH', at, { body: { enabled: !enabled } }).then(reload),
                enabled ? 'It is told nothing for now; what waited for it is dropped.' : 'It is told again.',
              );
            }}
          >
            {enabled ? 'Disable' : 'Enable'}
          </Button>
          <Button
            small
            label={`Rotate secret of ${url}`}
            onClick={() => {
              setAsking('rotate');
            }}
          >
            Rotate secret
          </Button>
          <Button
            small
            kind="danger"
            label={`Delete ${url}`}
            onClick={() => {
              setAsking('delete');
            }}
          >
            Delete
          </Button>
        </div>
      </div>
      {description !== '' && <p>{description}</p>}
      <Problem error={test.error} />
      {webhook.disabled_reason !== null && <p class="bad-text">Disabled: {webhook.disabled_reason}</p>}
      {enabled && failing !== null && (
        <p class="bad-text">
          It has taken nothing since <Time at={failing.since} />: {failing.reason}
        </p>
      )}
      <div class="meta">
        <Badge of={enabled ? (failing === null ? 'active' : 'failed') : 'inactive'}>
          {enabled ? (failing === null ? 'enabled' : 'failing') : 'disabled'}
        </Badge>
        {agent_id !== null && (
          <span>
            of <AgentLink id={agent_id} /> only
          </span>
        )}
        {webhook.events.map((event) => (
          <Tag key={event}>{event}</Tag>
        ))}
      </div>
      {asking === 'delete' && (
        <Confirm
          title="Delete the webhook?"
          verb="Delete"
          act={async () => {
            await request('DELETE', at);
            reload();
            return 'It is told nothing any more.';
          }}
          onClose={close}
        >
          <p>What still waits for {url} is dropped.</p>
        </Confirm>
      )}
      {asking === 'rotate' && (
        <Confirm
          title="Rotate its secret?"
          verb="Rotate"
          act={async () => {
            show((await request<Schema<'MintedWebhook'>>('POST', `${at}/rotate`)).secret);
            reload();
            return null;
          }}
          onClose={close}
        >
          <p>It gets a new secret. For a day the one that it has signs, too, so that the receiver can change.</p>
        </Confirm>
      )}
    </>
  );
}

/** `saved` is given the secret of a new webhook. */
function WebhookDialog({
  webhook,
  saved,
  onClose,
}: {
  webhook: Webhook | null;
  saved: (secret: string | null) => void;
  onClose: () => void;
}) {
  const [url, setUrl] = useState(webhook?.url ?? '');
  const [chosen, setChosen] = useState<readonly Event[]>(
    webhook?.events ?? ['run.completed', 'run.failed', 'run.input_required'],
  );
  const [agent, setAgent] = useState(webhook?.agent_id ?? '');
  const [description, setDescription] = useState(webhook?.description ?? '');
  const { run, busy, error } = useAction(async () => {
    const agent_id = agent.trim() === '' ? null : agent.trim();
    const body = { url: url.trim(), events: chosen, agent_id, description };
    if (webhook === null) saved((await request<Schema<'MintedWebhook'>>('POST', '/v1/webhooks', { body })).secret);
    else {
      await request('PATCH', path`/v1/webhooks/${webhook.id}`, { body });
      saved(null);
    }
    onClose();
    return webhook === null ? null : 'Saved.';
  });
  return (
    <Dialog title={webhook === null ? 'Add a webhook' : 'Change the webhook'} onClose={onClose}>
      <Form onSubmit={run}>
        <TextField
          label="URL"
          type="url"
          value={url}
          onInput={setUrl}
          placeholder="https://example.com/hivekeep"
          autocomplete="off"
          autoFocus
          hint="Gets each event as a POST with JSON."
        />
        <fieldset>
          <legend>Told when</legend>
          <div class="stack tight">
            {events.map(([event, when]) => (
              <Check
                key={event}
                checked={chosen.includes(event)}
                onChange={(on) => {
                  setChosen((before) => (on ? [...before, event] : before.filter((other) => other !== event)));
                }}
                label={<code>{event}</code>}
                hint={when}
              />
            ))}
          </div>
        </fieldset>
        <TextField
          label="Only of the agent"
          value={agent}
          onInput={setAgent}
          placeholder="agent_…"
          autocomplete="off"
          hint="The id of an agent; empty: of all."
        />
        <TextField label="What it is for" value={description} onInput={setDescription} autocomplete="off" />
        <Problem error={error} />
        <div class="actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" busy={busy}>
            {webhook === null ? 'Add it' : 'Save'}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
