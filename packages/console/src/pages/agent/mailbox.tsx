import { useState } from 'preact/hooks';
import { path, request, type Agent, type MailboxMessage } from '../../lib/api.js';
import { can } from '../../lib/session.js';
import { useList } from '../../lib/use-query.js';
import { AgentField, AgentLink } from '../../ui/agent-link.js';
import { LongText } from '../../ui/long-text.js';
import { Button, useAction } from '../../ui/button.js';
import { Confirm } from '../../ui/dialogs.js';
import { TextField } from '../../ui/fields.js';
import { Badge, Tag, Time } from '../../ui/labels.js';
import { List } from '../../ui/list.js';
import { Empty, Problem } from '../../ui/states.js';

export function Mailbox({ agent }: { agent: Agent }) {
  const url = path`/v1/agent-constellations/${agent.id}/messages`;
  const list = useList<MailboxMessage>(url, {}, { every: 10 });
  const [removing, setRemoving] = useState<MailboxMessage | null>(null);
  return (
    <div class="split">
      <section class="card flush" aria-label="Messages">
        <div class="card-head">
          <h2>Messages</h2>
          <p>Unread first</p>
        </div>
        <List
          list={list}
          noun="messages"
          empty={
            <Empty
              icon="mail"
              title="The mailbox is empty"
              command={`curl -X POST ${location.origin}${url} \\
  -H "Authorization: Bearer $KEY" -H "Content-Type: application/json" \\
  -d '{"content": "The launch moved to June."}'`}
            >
              <p>Messages of other agents and of clients arrive here.</p>
            </Empty>
          }
        >
          {(messages) => (
            <ul class="items">
              {messages.map((message) => (
                <li key={message.id}>
                  <div class="row between">
                    <strong>
                      <AgentLink id={message.from ?? 'external'} />
                    </strong>
                    <span class="row">
                      {message.read_at === null && <Badge of="pending">unread</Badge>}
                      <Button
                        small
                        kind="quiet"
                        needs="agent:manage"
                        label={`Delete the message of ${message.created_at}`}
                        onClick={() => {
                          setRemoving(message);
                        }}
                      >
                        Delete
                      </Button>
                    </span>
                  </div>
                  <LongText text={message.content} />
                  <div class="meta">
                    <span>
                      sent <Time at={message.created_at} />
                    </span>
                    {message.read_at !== null && (
                      <span>
                        read <Time at={message.read_at} />
                      </span>
                    )}
                    {message.hops > 1 && <Tag>{message.hops} hops</Tag>}
                    {message.reply_to !== null && <Tag>a reply</Tag>}
                  </div>
                </li>
              ))}
            </ul>
          )}
        </List>
      </section>
      <SendForm agent={agent} url={url} onSent={list.reload} />
      {removing !== null && (
        <Confirm
          title="Delete this message?"
          verb="Delete"
          act={async () => {
            await request('DELETE', `${url}/${encodeURIComponent(removing.id)}`);
            list.reload();
            return 'The message is gone.';
          }}
          onClose={() => {
            setRemoving(null);
          }}
        >
          <p>{agent.name} can neither read nor recall it any more.</p>
        </Confirm>
      )}
    </div>
  );
}

function SendForm({ agent, url, onSent }: { agent: Agent; url: string; onSent: () => void }) {
  const [content, setContent] = useState('');
  const [from, setFrom] = useState('');
  const { run, busy, error } = useAction(async () => {
    await request('POST', url, { body: { content, ...(from !== '' && { from }) } });
    setContent('');
    onSent();
    return agent.wake_on_message
      ? `Sent. ${agent.name} wakes and reads it.`
      : `Sent. ${agent.name} reads it at its next run.`;
  });
  return (
    <form
      class="card form"
      aria-label="Send a message"
      onSubmit={(event) => {
        event.preventDefault();
        if (content.trim() !== '') run();
      }}
    >
      <h2>Send a message</h2>
      <TextField label="Content" value={content} onInput={setContent} rows={3} required />
      {can('agent:manage') && (
        <AgentField label="From (you, unless you name an agent)" value={from} onInput={setFrom} />
      )}
      <Problem error={error} />
      <div class="actions">
        <Button kind="primary" type="submit" busy={busy} needs="agent:spawn">
          Send
        </Button>
      </div>
    </form>
  );
}
