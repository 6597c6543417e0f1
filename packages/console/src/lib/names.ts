/** Names of agents and hives by id, asked for once each: lists elsewhere name them by id only. */
import { useEffect, useState } from 'preact/hooks';
import { path, request } from './api.js';
import { can } from './session.js';

const names = new Map<string, Promise<string>>();

interface Named {
  id: string;
  name: string;
}

/** Where the name of an id is asked for, and the scope that it takes. */
const sources = [
  { prefix: 'agent_', url: (id: string) => path`/v1/agents/${id}`, scope: 'agent:read' },
  { prefix: 'hive_', url: (id: string) => path`/v1/hives/${id}`, scope: 'hive:read' },
] as const;

/** The name, or the id itself where it cannot be told. */
export function nameOf(id: string): Promise<string> {
  const source = sources.find(({ prefix }) => id.startsWith(prefix));
  if (source === undefined || !can(source.scope)) return Promise.resolve(id);
  let name = names.get(id);
  if (name === undefined) {
    name = request<Named>('GET', source.url(id)).then(
      (found) => found.name,
      () => {
        names.delete(id);
        return id;
      },
    );
    names.set(id, name);
  }
  return name;
}

/** For what is on the page anyway, and after a change of the name. */
export function noteNames(of: readonly Named[]): void {
  for (const { id, name } of of) names.set(id, Promise.resolve(name));
}

/** The id itself until the name is known, and where the key may not see it. */
export function useName(id: string): string {
  const [known, setKnown] = useState<Named>({ id, name: id });
  useEffect(() => {
    let here = true;
    void nameOf(id).then((name) => {
      if (here) setKnown({ id, name });
    });
    return () => {
      here = false;
    };
  }, [id]);
  return known.id === id ? known.name : id;
}
