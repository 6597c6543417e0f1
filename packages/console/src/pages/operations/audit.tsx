import type { AuditRecord } from '../../lib/api.js';
import { href, place, setFilter } from '../../lib/router.js';
import { useStore } from '../../lib/store.js';
import { useList } from '../../lib/use-query.js';
import { AgentField, AgentLink } from '../../ui/agent-link.js';
import { Button } from '../../ui/button.js';
import { ScopeTags } from '../../ui/credentials.js';
import { Time } from '../../ui/labels.js';
import { ListTable } from '../../ui/list.js';
import { LongText } from '../../ui/long-text.js';
import { Empty } from '../../ui/states.js';

const actions: readonly AuditRecord['action'][] = [
  'run.approved',
  'run.rejected',
  'run.answered',
  'run.resumed',
  'run.forked',
  'run.cancelled',
  'run.deleted',
  'memory.updated',
  'memory.deleted',
  'memory.shared',
  'agent.created',
  'agent.updated',
  'agent.deleted',
  'hive.created',
  'hive.updated',
  'hive.deleted',
  'hive.joined',
  'hive.left',
  'block.updated',
  'block.deleted',
  'session.deleted',
  'subject.deleted',
  'message.deleted',
  'schedule.created',
  'schedule.updated',
  'schedule.started',
  'schedule.deleted',
  'tool.called',
  'key.created',
  'key.revoked',
  'token.created',
  'token.revoked',
  'webhook.created',
  'webhook.updated',
  'webhook.deleted',
  'push.registered',
  'push.removed',
  'push.replayed',
  'alerts.updated',
  'budget.updated',
  'workspace.exported',
  'workspace.imported',
];

/** Who has changed and decided what, newest first. */
export function Audit() {
  const { query } = useStore(place);
  const action = query.get('action') ?? '';
  const agent = query.get('agent') ?? '';
  const actor = query.get('actor') ?? '';
  const list = useList<AuditRecord>('/v1/audit', {
    action,
    actor,
    ...(agent.startsWith('agent_') && { agent_id: agent }),
  });
  return (
    <section class="card flush" aria-label="Audit">
      <div class="card-head">
        <div class="filters" role="search">
          <select
            aria-label="What was done"
            value={action}
            onChange={(event) => {
              setFilter('action', event.currentTarget.value);
            }}
          >
            <option value="">Anything</option>
            {actions.map((one) => (
              <option key={one} value={one}>
                {one}
              </option>
            ))}
          </select>
          <AgentField
            label="Of the agent"
            placeholder="Any agent: type a name and choose"
            value={agent}
            onInput={(id) => {
              setFilter('agent', id);
            }}
          />
          {actor !== '' && (
            <Button
              onClick={() => {
                setFilter('actor', '');
              }}
            >
              By anybody
            </Button>
          )}
        </div>
      </div>
      <ListTable
        list={list}
        noun="records"
        empty={
          <Empty icon="docs" title={action || agent || actor ? 'Nothing like that' : 'Nothing was recorded yet'} />
        }
        columns={[
          { title: 'What', kind: 'primary', cell: (record) => record.action },
          { title: 'Of', cell: (record) => <Of record={record} /> },
          {
            title: 'By',
            cell: (record) => (
              <a
                href={`${href('operations', 'audit')}?actor=${encodeURIComponent(record.actor)}`}
                title={`All that ${record.actor} has done`}
              >
                {record.actor_name ?? record.actor}
              </a>
            ),
          },
          { title: 'From', cell: (record) => <span class="nowrap">{record.from ?? 'not known'}</span> },
          { title: 'When', cell: (record) => <Time at={record.created_at} /> },
        ]}
      />
    </section>
  );
}

/** What was changed: by its name or its id, with what else is known. */
function Of({ record }: { record: AuditRecord }) {
  const { name, target_id: id, agent_id: agent, action, fields, count, words, scopes } = record;
  const isAgent = id !== null && id === agent;
  const isRun = action.startsWith('run.') && id !== null && agent !== null && action !== 'run.deleted';
  return (
    <>
      {isAgent ? null : isRun ? (
        <a href={href('agents', agent, 'runs', id)}>
          <code class="short">{id}</code>
        </a>
      ) : name !== '' ? (
        name
      ) : (
        id !== null && (
          <code class="short" title={id}>
            {id}
          </code>
        )
      )}
      {agent !== null && (
        <>
          {isAgent ? '' : ' at '}
          {action === 'agent.deleted' ? name : <AgentLink id={agent} />}
        </>
      )}
      <ScopeTags scopes={scopes} />
      {count !== null && ` (${count})`}
      {fields.length > 0 && <div class="hint">{fields.join(', ')}</div>}
      {words !== null && <LongText text={words} />}
    </>
  );
}
