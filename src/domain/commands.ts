/**
 * The commands of a kind of entity, as a table: the name of each, with the function that applies it to a draft and
 * returns its result. What the function takes besides the draft is the command; whatever had to be read from the store
 * is part of it.
 */

type Fields<F> = F extends (draft: never, command: infer C) => unknown ? (unknown extends C ? object : C) : never;

/** The command `N` of a table, and without `N` any of them. */
export type CommandOf<T, N extends keyof T = keyof T> = { [K in N]: { type: K } & Fields<T[K]> }[N];

/** What deciding on the command `N` results in. */
export type ResultOf<T, N extends keyof T> = T[N] extends (...args: never) => infer R ? R : never;

/** A command that brings its decision along (src/commands/command.ts), instead of naming one of a table. */
export interface Decided<D> {
  readonly type: 'decide';
  /** That of the command. */
  readonly name: string;
  decide(draft: D): unknown;
}

const isDecided = <D>(command: { type: unknown } | Decided<D>): command is Decided<D> => command.type === 'decide';

/** Applies a command to a draft. */
export const applyCommand = <D, T extends object>(
  table: T,
  draft: D,
  command: { type: keyof T } | Decided<D>,
): unknown =>
  isDecided(command)
    ? command.decide(draft)
    : (table[command.type] as (draft: D, command: unknown) => unknown)(draft, command);
