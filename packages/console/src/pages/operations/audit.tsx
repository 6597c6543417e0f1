import type { AuditRecord } from '../../lib/api.js';
import { useList } from '../../lib/use-query.js';
import { AgentLink } from '../../ui/agent-link.js';
import { allScopes } from '../../ui/mint.js';
import { Empty, List, Tag, Time } from '../../ui/parts.js';

export function Audit() {
  const list = useList<AuditRecord>('/v1/audit');
  return (
    <section class="card flush" aria-label="Audit">
      <List list={list} noun="records" empty={<Empty icon="docs" title="Nothing was recorded yet" />}>
        {(records) => (
          <div class="table-wrap">
            <table class="rows">
              <thead>
                <tr>
                  <th scope="col">What</th>
                  <th scope="col">Of</th>
                  <th scope="col">By</th>
                  <th scope="col">From</th>
                  <th scope="col">When</th>
                </tr>
              </thead>
              <tbody>
                {records.map((record) => (
                  <tr key={record.id}>
                    <td class="primary-cell">{record.action}</td>
                    <td data-label="Of">
                      {record.name}
                      {record.agent_id !== null && (
                        <>
                          {' '}
                          at <AgentLink id={record.agent_id} />
                        </>
                      )}
                      <span class="row">
                        {record.scopes.length === allScopes.length ? (
                          <Tag>all scopes</Tag>
                        ) : (
                          record.scopes.map((scope) => <Tag key={scope}>{scope}</Tag>)
                        )}
                      </span>
                    </td>
                    <td data-label="By">
                      <code class="short" title={record.actor}>
                        {record.actor}
                      </code>
                    </td>
                    <td data-label="From" class="nowrap">
                      {record.from ?? 'this machine'}
                    </td>
                    <td data-label="When">
                      <Time at={record.created_at} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </List>
    </section>
  );
}
