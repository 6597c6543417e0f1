/**
 * Formats the settings as text, for terminals and docs/configuration.md. For secrets it shows only whether they are
 * set.
 */
import type { Config } from './config.js';
import { envName, settings, type Setting, type SettingKey } from './settings.js';

interface Row {
  name: string;
  fallback: string;
  help: string;
}

const rows = (): (Row & { key: SettingKey })[] =>
  (Object.entries(settings) as [SettingKey, Setting<unknown>][]).map(([key, s]) => ({
    key,
    name: envName(key),
    fallback: s.shown ?? show(s.default),
    help: s.help,
  }));

function show(value: unknown): string {
  if (value === null) return 'unset';
  if (Array.isArray(value)) return value.length ? value.join(',') : 'none';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The table of docs/configuration.md. */
export function settingsMarkdown(): string {
  const lines = rows().map(
    (r) =>
      `| \`${r.name}\` | ${r.fallback.replaceAll('|', '\\|')} | ${r.help.replaceAll('|', '\\|').replaceAll('<', '&lt;')} |`,
  );
  return ['| Setting | Default | What it does |', '|---|---|---|', ...lines].join('\n');
}

/** For `serve --help`: name, default and meaning of each setting. */
export function settingsHelp(): string {
  return rows()
    .map((r) => `  ${r.name} (${r.fallback})\n      ${r.help}`)
    .join('\n');
}

/** For `hivekeep config`: the effective settings, one on each line, aligned, with the default if it differs. */
export function settingsInForce(config: Config): string {
  const width = Math.max(...rows().map((r) => r.name.length));
  return rows()
    .map((r) => {
      const s: Setting<unknown> = settings[r.key];
      const value: unknown = config[r.key];
      const isDefault = value === s.default || (Array.isArray(value) && value.length === 0);
      const text = isDefault ? r.fallback : `${s.secret ? 'set, not shown' : show(value)} (default: ${r.fallback})`;
      return `${r.name.padEnd(width)}  ${text}`;
    })
    .join('\n');
}
