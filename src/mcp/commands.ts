/** A server that is spoken to by stdio: a program that the operator lets agents use under a name. */
export interface McpCommand {
  command: string;
  args: string[];
  /** Beside HOME, LOGNAME, PATH, SHELL, TERM and USER of the service, which is all that it sees of its environment. */
  env: Record<string, string>;
  cwd?: string;
  /** The workspaces whose agents may use it; all if omitted. */
  workspaces?: string[];
}
