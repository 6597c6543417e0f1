/**
 * The invariants of the sources, as they stand in the headers of their files: `Module.X1 text`. Run directly, it writes
 * docs/protocol.md (`npm run protocol`).
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));
export const protocolFile = join(root, 'docs/protocol.md');

export interface Invariant {
  /** `Router.R3`. */
  label: string;
  text: string;
  /** The file whose header defines it, from the root of the repository. */
  file: string;
}

/** The TypeScript sources below these folders, from the root of the repository. */
export const sources = (...folders: string[]): string[] =>
  folders
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.(ts|cts)$/.test(name))
        .map((name) => `${folder}/${name}`),
    )
    .filter((file) => file !== 'packages/client/src/types.ts')
    .sort();

export const read = (file: string): string => readFileSync(join(root, file), 'utf8');

/** A definition is a line ` *  Module.X1 text` of a header, with the lines below it that are indented further. */
export function definitionsIn(file: string): Invariant[] {
  const found = read(file).matchAll(/^ \* {2}([A-Z]\w*\.[A-Z]\d+) (.*(?:\n \* {3,}\S.*)*)/gm);
  return Array.from(found, ([, label = '', text = '']) => ({ label, text: text.replace(/\n \* +/g, ' '), file }));
}

/** The properties of the models are values, `C1: { text: '...' }`. */
export function modelProperties(): Invariant[] {
  return sources('test/model').flatMap((file) =>
    Array.from(
      read(file).matchAll(/^ +([A-Z]\d+): \{\s*text: (?:'((?:[^'\\]|\\.)*)'|"([^"]*)")/gm),
      ([, id = '', single, double]) => ({
        label: `Model.${id}`,
        text: (single ?? double ?? '').replaceAll("\\'", "'"),
        file,
      }),
    ),
  );
}

export const invariants = (): Invariant[] => [
  ...sources('actors', 'gateway', 'src').flatMap(definitionsIn),
  ...modelProperties(),
];

const chapters: [string, RegExp][] = [
  ['The actor runtime', /^actors\/runtime\//],
  ['Entities', /^actors\/entities\//],
  ['Quotas', /^actors\/quota\//],
  ['Processes of a cluster', /^actors\/cluster\/|^src\/cluster\/|^src\/main\//],
  ['The service', /^actors\/service\/|^src\/[\w-]+\.ts$|^src\/(cli|config)\//],
  ['Decisions', /^src\/domain\//],
  ['The store port', /^src\/store\/[\w-]+\.ts$/],
  ['The embedded store (lmdb)', /^src\/store\/lmdb\//],
  ['The store of a cluster (MongoDB)', /^src\/store\/mongo\//],
  ['Events and messages between processes', /^src\/(bus|redis)\//],
  ['Export and import', /^src\/transfer\//],
  ['Limits', /^src\/limits\/|^gateway\/limits\//],
  ['Recall and learning', /^src\/(memory|learning|embeddings)\//],
  ['Reasoners', /^src\/reasoner\//],
  ['Push notifications', /^src\/push\//],
  ['The gateway', /^gateway\/|^src\/(mcp|a2a)\//],
  ['The model of the protocol', /^test\/model\//],
];

export function protocolDocument(): string {
  const left = new Set(invariants());
  const parts = chapters.map(([title, files]) => {
    const mine = [...left].filter(({ file }) => files.test(file));
    for (const one of mine) left.delete(one);
    const modules = [...new Set(mine.map(({ file }) => file))].map((file) => {
      const rows = mine.filter((one) => one.file === file).map(({ label, text }) => `- **${label}** ${text}`);
      return `### \`${file}\`\n\n${rows.join('\n')}\n`;
    });
    return `## ${title}\n\n${modules.join('\n')}`;
  });
  if (left.size > 0) throw new Error(`no chapter for ${[...left].map(({ file }) => file).join(', ')}`);
  return `${preface}\n${parts.join('\n')}`;
}

const preface = `# Protocol: the invariants

Every invariant that code and tests rely on, by module. A label names the module and the invariant, such as \`Router.R3\`; it is defined in the header of the module's file and cited by the comments and tests that depend on it. \`test/unit/references.test.ts\` checks that every citation resolves and that no label means two things.

This page is made from those headers by \`npm run protocol\`. The last chapter lists the properties of the explicit-state models in \`test/model/\`, which run every interleaving of small cases and show each guard to be needed by leaving it out.
`;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(protocolFile, protocolDocument());
  process.stdout.write(`${dirname(protocolFile)}/protocol.md\n`);
}
