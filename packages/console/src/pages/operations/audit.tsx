import type { AuditRecord } from '../../lib/api.js';
import { useList } from '../../lib/use-query.js';
import { AgentLink } from '../../ui/agent-link.js';
import { ScopeTags } from '../../ui/credentials.js';
import { Time } from '../../ui/labels.js';
import { ListTable } from '../../ui/list.js';
import { Empty } from '../../ui/states.js';

export function Audit() {
  const list = useList<AuditRecord>('/v1/audit');
  return (
    <section class="card flush" aria-label="Audit">
      <ListTable
        list={list}
        noun="records"
        empty={<Empty icon="docs" title="Nothing was recorded yet" />}
        columns={[
          { title: 'What', kind: 'primary', cell: (record) => record.action },
          {
            title: 'Of',
            cell: (record) => (
              <>
                {record.name}
                {record.agent_id !== null && (
                  <>
                    {' '}
                    at <AgentLink id={record.agent_id} />
                  </>
                )}
                <ScopeTags scopes={record.scopes} />
              </>
            ),
          },
          {
            title: 'By',
            cell: (record) => (
              <code class="short" title={record.actor}>
                {record.actor}
              </code>
            ),
          },
          { title: 'From', cell: (record) => <span class="nowrap">{record.from ?? 'this machine'}</span> },
          { title: 'When', cell: (record) => <Time at={record.created_at} /> },
        ]}
      />
    </section>
  );
}
