/**
 * Settings that come with a request: the overrides of a run, and schemas of answers.
 *
 *  - Who may start runs may say how they go, but where a credential is good for one agent alone, or a key is used at
 *    an agent's own endpoint, it is that agent's manager (agent:manage) who decides on its model and its instructions:
 *    others say there what form the answer has, and no more.
 */
import { createPublicKey } from 'node:crypto';
import { bounds } from '../domain/agent/agent-state.js';
import { hopsKey } from '../domain/mailbox/peer-item.js';
import { type A2aPeer, type WithTools, withSecrets } from '../domain/agent/agent-tools.js';
import { sealCredential } from '../push/credentials.js';
import { conflict, insufficientScope, invalid } from '../domain/shared/errors.js';
import { subject } from '../domain/shared/input-fields.js';
import { type RunOverrides, runOverrides } from '../domain/shared/inputs.js';
import type { TaskMessage } from '../domain/task/task.js';
import { type OnBusy, onBusy } from '../domain/shared/vocabulary.js';
import { outputCheck, SchemaProblem } from '../output-schema/check.js';
import { schemasIn } from '../output-schema/in-settings.js';
import type { Caller } from '../domain/shared/caller.js';
import type { Services } from './command.js';

/** What checks URLs and commands of tools. */
type Checks = Pick<Services, 'push' | 'mcp'>;

/** Throws what is wrong with the overrides, which are at this path of the request. */
export async function checkGivenOverrides(
  services: Checks,
  caller: Caller,
  overrides: RunOverrides,
  path = 'overrides',
): Promise<void> {
  const { output_schema: _, ...others } = overrides;
  if (Object.keys(others).length > 0 && caller.agent !== undefined && !caller.scopes.includes('agent:manage'))
    throw insufficientScope('agent:manage', `overriding ${Object.keys(others).join(', ')} of this agent`);
  await checkSettings(services, caller, overrides, path);
}

/** A peer at an agent's own endpoint does not say whom it speaks for, unless it may manage the agent. */
export function checkGivenSubject(caller: Caller, subject: string | undefined): void {
  if (subject !== undefined && caller.agent !== undefined && !caller.scopes.includes('agent:manage'))
    throw insufficientScope('agent:manage', 'naming a subject at the endpoint of an agent');
}

const subjectKey = 'hivekeep/subject';

/** The subject that the metadata of an A2A message names. */
export function subjectNamed(caller: Caller, { metadata }: TaskMessage): string | undefined {
  const given = metadata?.[subjectKey];
  if (given === undefined || given === null) return undefined;
  const parsed = subject.safeParse(given);
  const issue = parsed.error?.issues[0];
  if (issue) throw invalid({ path: `message.metadata["${subjectKey}"]`, message: issue.message });
  checkGivenSubject(caller, parsed.data);
  return parsed.data;
}

/** Throws what in these settings is no schema, or a URL or a command that no tool may have. */
export async function checkSettings(
  { push, mcp }: Checks,
  { workspace }: Pick<Caller, 'workspace'>,
  settings: (WithTools & { output_schema?: unknown }) | null | undefined,
  path: string,
): Promise<void> {
  for (const [at, schema] of schemasIn(settings, path))
    try {
      await outputCheck(schema);
    } catch (error) {
      if (error instanceof SchemaProblem) throw invalid({ path: at, message: error.message });
      throw error;
    }
  for (const [i, tool] of (settings?.tools ?? []).entries())
    if (tool.kind === 'http') await push.check(tool, `${path}.tools.${i}.url`);
    else if (tool.kind === 'a2a') await checkPeer(push, tool, `${path}.tools.${i}`);
    else if (tool.kind === 'mcp') await mcp.check(workspace, tool, `${path}.tools.${i}`);
}

async function checkPeer(push: Checks['push'], { card, verify }: A2aPeer, path: string): Promise<void> {
  await push.check({ url: card }, `${path}.card`);
  if (verify?.jwks !== undefined) await push.check({ url: verify.jwks }, `${path}.verify.jwks`);
  for (const [i, key] of (verify?.keys ?? []).entries())
    try {
      createPublicKey({ key: { ...key }, format: 'jwk' });
    } catch {
      throw invalid({ path: `${path}.verify.keys.${i}`, message: 'must be a public key as a JWK' });
    }
}

/** The settings with the secrets of their tools sealed for the agent. */
export const sealedFor = <T extends WithTools | null | undefined>(
  { keyring }: Pick<Services, 'keyring'>,
  agent: string,
  settings: T,
): T => settings && withSecrets(settings, (value) => sealCredential(keyring, agent, value));

const overridesKey = 'hivekeep/overrides';

/** The overrides that the metadata of an A2A message gives for the task that it begins. */
export async function overridesOf(
  services: Checks,
  caller: Caller,
  { metadata }: TaskMessage,
  taskId: string | undefined,
): Promise<RunOverrides | undefined> {
  const given = metadata?.[overridesKey];
  if (given === undefined || given === null) return undefined;
  const path = `message.metadata["${overridesKey}"]`;
  if (taskId !== undefined) throw invalid({ path, message: 'must be left out: a task keeps what it was begun with' });
  const parsed = runOverrides.safeParse(given);
  const issue = parsed.error?.issues[0];
  if (issue) throw invalid({ path: [path, ...issue.path].join('.'), message: issue.message });
  if (parsed.data) await checkGivenOverrides(services, caller, parsed.data, path);
  return parsed.data;
}

/** Through how many agents the A2A message has gone, as another hivekeep says (Peers.E5); undefined if it does not. */
export function hopsOf({ metadata }: TaskMessage): number | undefined {
  const given = metadata?.[hopsKey];
  if (given === undefined || given === null) return undefined;
  if (!Number.isSafeInteger(given) || (given as number) < 0)
    throw invalid({ path: `message.metadata["${hopsKey}"]`, message: 'must be a whole number' });
  if ((given as number) >= bounds.maxHops)
    throw conflict(`the message has gone through ${bounds.maxHops} agents already`);
  return given as number;
}

const onBusyKey = 'hivekeep/on_busy';

/** What the metadata of an A2A message says is to become of it in a context, or at a task, that is busy. */
export function onBusyOf({ metadata }: TaskMessage, taskId: string | undefined): OnBusy | undefined {
  const given = metadata?.[onBusyKey];
  if (given === undefined || given === null) return undefined;
  const path = `message.metadata["${onBusyKey}"]`;
  const known = onBusy.find((one) => one === given);
  if (!known) throw invalid({ path, message: `must be one of ${onBusy.map((one) => `"${one}"`).join(', ')}` });
  if (taskId !== undefined && known !== 'steer')
    throw invalid({ path, message: 'must be "steer" or be left out: the message names its task' });
  return known;
}
