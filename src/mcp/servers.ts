/**
 * The servers that the agents of a process use: their connections, and a cache of what they offer.
 *
 *  - A command runs only if the operator has configured it by this name, for this workspace; what a caller of the API
 *    gives is never part of what runs.
 *  - A connection serves one agent, with the secret that it was opened with.
 *  - A call goes out once. It is sent again, over a new session, only if the server answered that it does not know the
 *    session, and so has done nothing.
 */
import { unlessAborted } from '../base/unless-aborted.js';
import type { McpServer } from '../domain/agent/agent-tools.js';
import type { Clock } from '../domain/shared/clock.js';
import { invalid } from '../domain/shared/errors.js';
import { homeOf } from '../domain/workspace/workspace.js';
import { timeLimit } from '../push/attempt.js';
import { PushError, type Push } from '../push/port.js';
import type { McpCommand } from './commands.js';
import { type McpConnection, Forgotten, connect } from './connection.js';
import { offerOf } from './offer.js';
import type { McpAgentRef, McpCall, McpServers, Offer } from './port.js';

/** What the operator says about servers. */
export interface McpSettings {
  /** The commands that agents may use, by name. */
  commands: ReadonlyMap<string, McpCommand>;
  /** Whether what servers say of their tools counts, where an agent does not say so for a server (AgentTools.T3). */
  annotations: 'trusted' | 'ignored';
  /** Replaces the usual times (ms) and numbers. */
  tuning?: Partial<typeof usual>;
}
const usualSettings: McpSettings = { commands: new Map(), annotations: 'ignored' };

const usual = {
  /** How long what a server offers is taken as it was, and how long it is not asked after a failure. */
  freshMs: 5 * 60_000,
  failedMs: 15_000,
  /** How long a connection, the start of a command, and what is asked before a call may take. */
  connectMs: 10_000,
  startMs: 30_000,
  idleMs: 5 * 60_000,
  connections: 512,
  processes: 64,
  listings: 256,
};
const mostResult = 256 * 1024;
const callSeconds = 30;
/** A server that does not end by then has seen its input end. */
const closeMs = 5_000;

interface Open {
  workspace: string;
  connection: Promise<McpConnection>;
  process: boolean;
  users: number;
  stopIdling: () => void;
}

interface Listing {
  offer: Offer | null;
  /** Why the server did not offer anything when it was last asked. */
  failure: string | null;
  until: number;
  /** What it offers has changed, as far as anybody knows. */
  doubted: boolean;
  asking: Promise<void> | null;
}

export function createMcpServers(
  { push, clock }: { push: Push; clock: Clock },
  { commands, annotations, tuning }: McpSettings = usualSettings,
): McpServers {
  const { freshMs, failedMs, connectMs, startMs, idleMs, ...most } = { ...usual, ...tuning };
  /** By agent and server; least recently used first. */
  const open = new Map<string, Open>();
  /** By server alone: a secret is sealed for one agent, so agents have one in common only where there is none. */
  const listings = new Map<string, Listing>();

  /** What is known of the programs of the operator, by name. */
  const priors = new Map<string, McpConnection['prior']>();

  const serverKey = ({ url, command, secret }: McpServer): string => JSON.stringify([url, command, secret]);
  const agentKey = ({ workspace, id }: McpAgentRef): string => `${workspace} ${id} `;
  const openKey = (agent: McpAgentRef, server: McpServer): string => agentKey(agent) + serverKey(server);

  const commandOf = (workspace: string, name: string): McpCommand | undefined => {
    const found = commands.get(name);
    return found && (found.workspaces?.includes(homeOf(workspace)) ?? true) ? found : undefined;
  };

  function close(key: string, each: Open): void {
    if (open.get(key) === each) open.delete(key);
    each.stopIdling();
    each.connection.then((connection) => connection.close()).catch(() => undefined);
  }

  /** A workspace opens no more than it leaves to others; beyond that, what is idle makes room, of its own first. */
  function makeRoom(workspace: string, process: boolean): void {
    const alike = [...open].filter(([, each]) => each.process === process);
    const own = alike.filter(([, each]) => each.workspace === workspace);
    const free = (process ? most.processes : most.connections) - alike.length;
    if (own.length < free) return;
    const isIdle = ([, { users }]: (typeof alike)[number]): boolean => users === 0;
    const idle = own.find(isIdle) ?? (own.length === 0 ? alike.find(isIdle) : undefined);
    if (!idle) throw new PushError('too many connections to servers of tools are open at once', true);
    close(...idle);
  }

  function connected(agent: McpAgentRef, server: McpServer, key: string): Open {
    const known = open.get(key);
    if (known) {
      open.delete(key);
      open.set(key, known);
      return known;
    }
    const name = server.command;
    const command = name === undefined ? undefined : commandOf(agent.workspace, name);
    if (name !== undefined && !command)
      throw new PushError(`the operator has not configured the command ${name} for this workspace`, true);
    makeRoom(agent.workspace, command !== undefined);
    const events = {
      closed: () => {
        close(key, each);
      },
      changed: () => {
        doubt(server);
      },
    };
    const each: Open = {
      connection: connect(
        { push, clock, agent, server, command, prior: name === undefined ? undefined : priors.get(name) },
        command ? startMs : connectMs,
        events,
      ),
      workspace: agent.workspace,
      process: command !== undefined,
      users: 0,
      stopIdling: () => undefined,
    };
    each.connection.then(
      ({ prior }) => {
        if (name !== undefined) priors.set(name, prior);
      },
      () => {
        if (name !== undefined) priors.delete(name);
        close(key, each);
      },
    );
    open.set(key, each);
    return each;
  }

  async function using<T>(
    agent: McpAgentRef,
    server: McpServer,
    work: (connection: McpConnection, drop: () => void) => Promise<T>,
  ): Promise<T> {
    const key = openKey(agent, server);
    const each = connected(agent, server, key);
    each.users++;
    each.stopIdling();
    try {
      return await work(await each.connection, () => {
        close(key, each);
      });
    } finally {
      each.users--;
      if (each.users === 0 && open.get(key) === each)
        each.stopIdling = clock.after(idleMs, () => {
          close(key, each);
        });
    }
  }

  function listingOf(server: McpServer): Listing {
    const key = serverKey(server);
    const known = listings.get(key) ?? { offer: null, failure: null, until: 0, doubted: false, asking: null };
    listings.delete(key);
    listings.set(key, known);
    const [oldest] = listings.keys();
    if (listings.size > most.listings && oldest !== undefined) listings.delete(oldest);
    return known;
  }

  const doubt = (server: McpServer): void => {
    const known = listings.get(serverKey(server));
    if (known) known.doubted = true;
  };

  async function ask(agent: McpAgentRef, server: McpServer, listing: Listing): Promise<void> {
    const limit = timeLimit(clock, connectMs);
    try {
      const list = await limit.race(using(agent, server, (connection) => connection.list(connectMs)));
      listing.offer = await offerOf(list);
      listing.doubted = false;
      listing.failure = null;
      listing.until = clock.now() + freshMs;
    } catch (error) {
      listing.failure = error instanceof PushError ? error.message : 'its tools could not be listed';
      listing.until = clock.now() + failedMs;
    } finally {
      limit.end();
      listing.asking = null;
    }
  }

  async function callOnce(
    agent: McpAgentRef,
    server: McpServer,
    call: McpCall,
    limit: { signal: AbortSignal; timeoutMs: number },
  ): Promise<{ ok: boolean; result: string }> {
    const listing = listingOf(server);
    // parts of the arguments may have to be sent in headers, as the schema says
    if (!listing.offer) await (listing.asking ??= ask(agent, server, listing));
    const listed = listing.offer?.tools.find(({ name }) => name === call.tool);
    const tool = listed ?? { name: call.tool, inputSchema: { type: 'object' } };
    for (let again = false; ; again = true)
      try {
        return await using(agent, server, async (connection, drop) => {
          try {
            return await connection.call(tool, call, limit);
          } catch (error) {
            if (error instanceof Forgotten) drop();
            throw error;
          }
        });
      } catch (error) {
        if (!(error instanceof Forgotten)) throw error;
        if (again) throw new PushError('the server forgets its sessions', true);
      }
  }

  return {
    async check(workspace, server, path) {
      if (server.url !== undefined) await push.check({ url: server.url }, `${path}.url`);
      else if (!commandOf(workspace, server.command ?? ''))
        throw invalid({
          path: `${path}.command`,
          message: 'must be a command that the operator has configured for this workspace (HIVEKEEP_MCP_COMMANDS)',
        });
    },
    async offer(agent, server, signal) {
      const listing = listingOf(server);
      if (listing.doubted || listing.until <= clock.now()) listing.asking ??= ask(agent, server, listing);
      // what was offered before is good enough, unless somebody knows better
      if (listing.asking && (!listing.offer || listing.doubted)) await unlessAborted(listing.asking, signal);
      const { offer, failure } = listing;
      if (!offer) return { tools: [], problems: [failure ?? 'its tools are not known'] };
      const { allow } = server;
      const tools = allow ? offer.tools.filter(({ name }) => allow.includes(name)) : offer.tools;
      const absent = (allow ?? []).filter((name) => !tools.some((tool) => tool.name === name));
      const problems = allow
        ? absent.map((name) => offer.problems.find((text) => text.startsWith(`${name}:`)) ?? `${name}: is not offered`)
        : offer.problems;
      return { tools, problems };
    },
    claims(server, tool) {
      return (server.annotations ?? annotations) === 'trusted'
        ? listings.get(serverKey(server))?.offer?.tools.find(({ name }) => name === tool)?.claims
        : undefined;
    },
    async call(agent, server, call, signal) {
      const timeoutMs = (server.timeout_seconds ?? callSeconds) * 1000;
      const limit = timeLimit(clock, timeoutMs, signal);
      try {
        const came = await limit.race(
          callOnce(agent, server, call, { signal: limit.signal, timeoutMs: timeoutMs * 2 }),
        );
        if (Buffer.byteLength(came.result) > mostResult)
          throw new PushError(`the answer is longer than ${mostResult} bytes`);
        return came;
      } finally {
        limit.end();
      }
    },
    release(agent) {
      for (const [key, each] of open) if (key.startsWith(agentKey(agent))) close(key, each);
    },
    async close() {
      const all = [...open];
      for (const [key, each] of all) close(key, each);
      const closed = all.map(({ 1: { connection } }) => connection.then((made) => made.close()).catch(() => undefined));
      await Promise.race([Promise.all(closed), new Promise<void>((resolve) => clock.after(closeMs, resolve))]);
    },
  };
}
