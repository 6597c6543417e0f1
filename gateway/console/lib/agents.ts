/** Names of agents by id, asked for once each: lists elsewhere name agents by id only. */
import { useEffect, useState } from 'preact/hooks';
import { path, request, type Agent } from './api.js';
import { can } from './session.js';

const names = new Map<string, Promise<string>>();

export function agentName(id: string): Promise<string> {
  let name = names.get(id);
  if (name === undefined) {
    name = request<Agent>('GET', path`/v1/agents/${id}`).then(
      (agent) => agent.name,
      () => {
        names.delete(id);
        return id;
      },
    );
    names.set(id, name);
  }
  return name;
}

/** For agents that are on the page anyway, and after a change of the name. */
export function noteAgents(agents: readonly Agent[]): void {
  for (const { id, name } of agents) names.set(id, Promise.resolve(name));
}

/** The id itself until the name is known, and where the key may not see agents. */
export function useAgentName(id: string): string {
  const [known, setKnown] = useState<{ id: string; name: string }>({ id, name: id });
  useEffect(() => {
    let here = true;
    if (id.startsWith('agent_') && can('agent:read'))
      void agentName(id).then((name) => {
        if (here) setKnown({ id, name });
      });
    return () => {
      here = false;
    };
  }, [id]);
  return known.id === id ? known.name : id;
}
