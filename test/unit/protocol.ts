/**
 * The invariants of the sources, as they stand in the headers of their files: `Module.X1 text`. Run directly (`npm run -s protocol`),
 * it lists them as Markdown; those of the explicit-state models in test/model are properties of the models.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

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

/** The invariants by file; the files of a folder follow each other. */
function protocolDocument(): string {
  const all = invariants();
  const modules = [...new Set(all.map(({ file }) => file))].map((file) => {
    const rows = all.filter((one) => one.file === file).map(({ label, text }) => `- **${label}** ${text}`);
    return `## \`${file}\`\n\n${rows.join('\n')}\n`;
  });
  return `# Protocol: the invariants\n\n${modules.join('\n')}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.stdout.write(protocolDocument());
