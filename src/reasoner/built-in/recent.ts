/** Answers from what was just said: in the same input, or before in the same session. */
import { followsUp } from '../../english/remarks.js';
import type { RecalledMemory, StepContext } from '../port.js';
import type { Item, Work } from './items.js';
import { aboutThis } from './quotes.js';
import { keywords } from './told.js';
import { brief } from '../../english/sentences.js';

/**
 * What the input itself says about a question in it: "Remember that Ana is in Rome. Where is Ana?" Recall cannot know
 * it yet.
 */
export function saidHere(work: Work, item: Item): RecalledMemory[] {
  if (item.unit.kind !== 'recall') return [];
  const { text: query } = item.unit;
  const told = work.items
    .slice(
      0,
      Math.max(
        0,
        work.items.findIndex(({ unit }) => unit === item.unit),
      ),
    )
    .flatMap(({ unit }): RecalledMemory[] => {
      const content = unit.kind === 'remember' ? unit.text : unit.kind === 'statement' ? unit.text : '';
      return content.trim() === '' ? [] : [{ id: '', type: 'said', content, relevance: 1 }];
    });
  if (told.length === 0) return [];
  const about = aboutThis(told, query);
  const namesATopic = keywords(query).size > 0;
  return about.length > 0 || namesATopic || !followsUp(query) ? about : told.slice(-1);
}

const mostTold = 5;

/** The client's last turns, the newest last. */
export function saidBefore(turns: StepContext['turns']): string {
  const said = turns.filter(({ role }) => role === 'user').slice(-mostTold);
  if (said.length === 0) return 'You have not said anything in this conversation before.';
  if (said.length === 1) return `You said: "${brief(said[0]?.content ?? '', 500)}"`;
  return `You said:\n${said.map(({ content }) => `- "${brief(content, 500)}"`).join('\n')}`;
}
