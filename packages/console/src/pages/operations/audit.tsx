import { requestPage, type ApiKey, type AuditRecord } from '../../lib/api.js';
import { useList, useQuery } from '../../lib/use-query.js';
import { AgentLink } from '../../ui/agent-link.js';
import { ScopeTags } from '../../ui/credentials.js';
import { Time } from '../../ui/labels.js';
import { ListTable } from '../../ui/list.js';
import { Empty } from '../../ui/states.js';

export function Audit() {
  const list = useList<AuditRecord>('/v1/audit');
  // those of keys that were revoked are not listed any more, and stay ids
  const names = useQuery('names of keys', async (signal) => {
    const keys = await requestPage<ApiKey>('/v1/keys', { page_size: 100 }, signal);
    return new Map(keys.data.map(({ id, name }) => [id, name]));
  });
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
            cell: (record) =>
              names.data?.get(record.actor) ?? (
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
