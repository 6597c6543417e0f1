/** Words with which people frame a question about what was said, whatever it is about. */
import { termOf } from './words.js';

const words =
  'tell told say said mention mentioned ask asked list listed give gave given show explain describe summarize summarise ' +
  'summary overview recap walk provide help suggest recommend discuss talk conversation chat session message request ' +
  'question order brought bring aspect different various item comprehensive complete clear please remember recall know ' +
  'ever many much long throughout across total consider base';

export const framing: ReadonlySet<string> = new Set(words.split(' ').map(termOf));
