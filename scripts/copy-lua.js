/** Lua scripts stand beside the code that reads them, which the compiler does not carry along: this copies them to where it writes. */
import { copyFileSync, mkdirSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** `output` is a folder of the project: dist or .bench. */
export function copyLua(output) {
  for (const name of readdirSync(join(root, 'src'), { recursive: true }).filter((path) => path.endsWith('.lua'))) {
    const copy = join(root, output, 'src', name);
    mkdirSync(dirname(copy), { recursive: true });
    copyFileSync(join(root, 'src', name), copy);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) copyLua(process.argv[2] ?? 'dist');
