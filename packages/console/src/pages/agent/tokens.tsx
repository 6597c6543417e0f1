import { useState } from 'preact/hooks';
import { path, request, type Agent, type AgentToken, type Schema } from '../../lib/api.js';
import { useList } from '../../lib/use-query.js';
import { Credentials } from '../../ui/credentials.js';
import { SelectField } from '../../ui/fields.js';
import { Tag } from '../../ui/labels.js';
import { allScopes } from '../../ui/mint.js';
import { Empty, Needs } from '../../ui/states.js';

const tokenScopes = [
  'agent:mcp' as const,
  ...allScopes.filter((scope) => scope !== 'usage:read' && scope !== 'workspace:admin'),
];

export const Tokens = ({ agent }: { agent: Agent }) => (
  <Needs scope="agent:manage">
    <TokenList agent={agent} url={path`/v1/agent-constellations/${agent.id}/tokens`} />
  </Needs>
);

function TokenList({ agent, url }: { agent: Agent; url: string }) {
  const [tasks, setTasks] = useState('all');
  return (
    <Credentials
      list={useList<AgentToken>(url)}
      what="token"
      url={url}
      label="Tokens"
      head={
        <div class="card-head">
          <h2>Tokens</h2>
          <p>They open the A2A endpoint of {agent.name}, its MCP endpoint with agent:mcp, and nothing else</p>
        </div>
      }
      empty={
        <Empty icon="key" title="No token yet">
          <p>A peer of another service needs one to talk to {agent.name}. Mint it with the form.</p>
        </Empty>
      }
      scopes={tokenScopes}
      usual={['agent:spawn', 'agent:read']}
      marks={(token) => token.tasks === 'own' && <Tag>own tasks</Tag>}
      mint={async (input) => (await request<Schema<'MintedToken'>>('POST', url, { body: { ...input, tasks } })).token}
    >
      <SelectField
        label="Tasks that it reaches"
        value={tasks}
        onChange={setTasks}
        options={[
          ['all', 'all of the agent'],
          ['own', 'its own: for a peer that is not to learn of others'],
        ]}
      />
    </Credentials>
  );
}
