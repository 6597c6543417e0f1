/** Calls a tool of an agent for somebody who tries it (docs/tools.md). */
import { auditActorOf } from '../../src/domain/workspace/audit.js';
import {
  isRepeatableCall,
  nameAtServer,
  notKnown,
  toolNamed,
  type OutboundTool,
} from '../../src/domain/agent/agent-tools.js';
import { conflict, invalid, notFound } from '../../src/domain/shared/errors.js';
import { outputCheck, type OutputCheck } from '../../src/output-schema/check.js';
import type { Caller, Service } from '../../src/service.js';
import { callTool } from '../entities/agent/call-tool.js';
import { agentRef, headOf } from '../../src/commands/entities.js';
import { askActor, type ServiceContext, withIdempotencyKey } from './context.js';

/** The longest that a call may take, ms: its caller waits for the response. */
const mostMs = 25_000;

export function toolService(c: ServiceContext) {
  const { deps } = c;

  async function checkOf(caller: Caller, id: string, tool: OutboundTool, name: string): Promise<OutputCheck | null> {
    if (tool.kind === 'http') return tool.input_schema ? outputCheck(tool.input_schema) : null;
    const { tools, problems } = await deps.mcp.offer(agentRef(caller, id), tool, AbortSignal.timeout(mostMs));
    const offered = tools.find((one) => one.name === nameAtServer(name));
    if (offered) return offered.check;
    throw problems.length > 0
      ? conflict(`the server does not offer it now: ${problems.join(' ')}`)
      : notFound('tool', name);
  }

  return {
    async tryTool(caller, id, name, { arguments: given = {} }) {
      const { snapshot } = await headOf(c.deps, agentRef(caller, id));
      const tool = toolNamed(snapshot.config, name);
      if (!tool) throw notFound('tool', name);
      if (tool.kind === 'client')
        throw conflict('a tool of kind client is carried out by whoever starts a run, not here');
      if (tool.kind === 'a2a') throw conflict('a peer is asked by runs, which wait for its task, and not here');
      const problem = (await checkOf(caller, id, tool, name))?.(given, 'arguments');
      if (problem) throw invalid({ path: 'arguments', message: problem });
      const claimed = tool.kind === 'mcp' ? deps.mcp.claims(tool, nameAtServer(name)) : undefined;
      const call = { arguments: { name, input: JSON.stringify(given) }, ...(claimed && { claimed }) };
      const idempotencyKey = withIdempotencyKey(caller);
      const by = auditActorOf(caller);
      // the record is there before the call goes out, and a repeat of the request calls under the same key
      const { id: key } = await askActor(c, caller, id, { type: 'noteToolCall', name, by, ...idempotencyKey });
      if (caller.idempotencyKey?.replayed && !isRepeatableCall(tool, call))
        throw conflict('this call was made before, and is not made again');
      const begun = deps.clock.elapsed();
      const signal = AbortSignal.timeout(mostMs);
      const came = await callTool(deps, { agent: agentRef(caller, id), tool, call, key }, signal).catch(() => ({
        ok: false,
        result: `no answer within ${mostMs / 1000} s; ${notKnown}`,
      }));
      return { id: key, ...came, ms: Math.round(deps.clock.elapsed() - begun) };
    },
  } satisfies Partial<Service>;
}
