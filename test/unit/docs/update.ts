/** `npm run docs`: writes what the documentation takes from the code, which is the table of settings. */
import { readFileSync, writeFileSync } from 'node:fs';
import { settingsMarkdown } from '../../../src/config/table.js';

const page = new URL('../../../docs/configuration.md', import.meta.url);
const [before = '', rest = ''] = readFileSync(page, 'utf8').split(/^\| Setting \|.*$/m);
const after = rest.slice(rest.search(/\n(?!\|)/) + 1);
writeFileSync(page, `${before}${settingsMarkdown()}\n${after}`);
