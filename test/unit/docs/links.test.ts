/** Every relative link of the documents leads to a file, and every anchor to a heading. */
import { expect } from 'chai';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const folders = ['.', 'docs', 'docs/decisions', ...(existsSync(join(root, 'examples')) ? examples() : [])];
const pages = folders.flatMap((folder) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(root, folder, name)),
);

function examples(): string[] {
  const inside = readdirSync(join(root, 'examples'), { withFileTypes: true });
  return ['examples', ...inside.filter((entry) => entry.isDirectory()).map((entry) => `examples/${entry.name}`)];
}

/** Without code and comments. */
const proseOf = (markdown: string): string =>
  markdown
    .replaceAll(/^```.*?^```$/gms, '')
    .replaceAll(/<!--.*?-->/gs, '')
    .replaceAll(/`[^`\n]*`/g, '');

/** As GitHub makes them of headings. */
const anchorsOf = (markdown: string): string[] =>
  [...proseOf(markdown).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

describe('documents', () => {
  for (const page of pages) {
    it(`${relative(root, page)}: its links lead somewhere`, () => {
      const broken = [...proseOf(readFileSync(page, 'utf8')).matchAll(/\]\(([^)\s]+)\)/g)]
        .map(([, target = '']) => target)
        .filter((target) => !/^[a-z]+:/.test(target))
        .filter((target) => {
          const [path = '', anchor] = target.split('#');
          const file = path === '' ? page : join(dirname(page), path);
          if (!existsSync(file)) return true;
          return (
            anchor !== undefined && file.endsWith('.md') && !anchorsOf(readFileSync(file, 'utf8')).includes(anchor)
          );
        });
      expect(broken).to.deep.equal([]);
    });
  }
});
