/** `given(what was).when(a command).then(what came of it)`; with `refused` for commands that must change nothing. */
import type { AgentDecision } from '../../../../src/domain/agent/agent-draft.js';
import type { ErrorCode, HivekeepError } from '../../../../src/domain/shared/errors.js';
import type { SpawnInput } from '../../../../src/domain/shared/inputs.js';
import { AgentWorld, type Command } from './agent-world.js';

export class Scenario {
  private pending: Command | null = null;
  constructor(private readonly world: AgentWorld) {}

  when(...commands: [Command, ...Command[]]): this {
    this.flush();
    for (const command of commands.slice(0, -1)) this.world.do(command);
    this.pending = commands.at(-1) ?? null;
    return this;
  }

  then(look: (world: AgentWorld, decision: AgentDecision) => void): this {
    this.flush();
    look(this.world, this.world.last);
    return this;
  }

  refused(code: ErrorCode, look: (error: HivekeepError, world: AgentWorld) => void = () => undefined): this {
    const command = this.pending;
    if (!command) throw new Error('nothing was tried');
    this.pending = null;
    look(this.world.refuse(command, code), this.world);
    return this;
  }

  private flush(): void {
    const command = this.pending;
    this.pending = null;
    if (command) this.world.do(command);
  }
}

/** An agent spawned with this, to which this has happened. */
export function given(input: Partial<SpawnInput> = {}, ...commands: Command[]): Scenario {
  const world = new AgentWorld(input);
  for (const command of commands) world.do(command);
  return new Scenario(world);
}
