/**
 * Formats log lines for people: time, level, message, then the other fields as `name=value`. An error's stack follows
 * on lines of its own.
 */
interface Line {
  level: string;
  time: string;
  msg?: string;
  err?: { stack?: string; message?: string };
  [field: string]: unknown;
}

const colours: Readonly<Record<string, number>> = { fatal: 31, error: 31, warn: 33, info: 32, debug: 90, trace: 90 };

/** `line` is one line of pino's JSON; anything else is returned unchanged. */
export function prettyLine(line: string, colour: boolean): string {
  const fields = parse(line);
  if (!fields) return line;
  const { level, time, msg, err, ...rest } = fields;
  const label = level.toUpperCase().padEnd(5);
  const parts = [time.slice(11, 23), colour ? `\u001b[${colours[level] ?? 0}m${label}\u001b[0m` : label, msg ?? ''];
  for (const [key, value] of Object.entries(rest))
    parts.push(`${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
  if (err) parts.push(`\n  ${(err.stack ?? err.message ?? '').replaceAll('\n', '\n  ')}`);
  return `${parts.join(' ')}\n`;
}

function parse(line: string): Line | undefined {
  try {
    const fields = JSON.parse(line) as Line;
    return typeof fields.level === 'string' && typeof fields.time === 'string' ? fields : undefined;
  } catch {
    return undefined;
  }
}
