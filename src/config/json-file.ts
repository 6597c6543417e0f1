/** Files that settings name. What is wrong with one is a ConfigError that names the setting, and contains no value. */
import { readFileSync } from 'node:fs';
import type { z } from 'zod';
import { ConfigError } from './config.js';

/** A file of JSON, as the schema has it. */
export function jsonFile<T>(setting: string, path: string, schema: z.ZodType<T>): T {
  const parsed = schema.safeParse(jsonOf(setting, path));
  if (parsed.success) return parsed.data;
  throw new ConfigError(
    parsed.error.issues.map(
      (issue) =>
        `${setting}: ${issue.path.join('.') || path} ${issue.code === 'unrecognized_keys' ? 'has unknown fields' : 'is wrong'}: ${issue.message}.`,
    ),
  );
}

function jsonOf(setting: string, path: string): unknown {
  const text = fileText(setting, path);
  try {
    return JSON.parse(text);
  } catch {
    throw new ConfigError([`${setting}: ${path} is not JSON.`]);
  }
}

export function fileText(setting: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new ConfigError([`${setting}: ${path} cannot be read (${(error as NodeJS.ErrnoException).code}).`]);
  }
}
