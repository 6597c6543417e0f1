/** A text that may be long: its beginning, and all of it when asked, so that one text does not hide those after it. */
import { useId, useState } from 'preact/hooks';
import { count } from '../lib/format.js';
import { Button } from './button.js';

/** What is a little longer than its beginning is shown as a whole. */
const isLong = (text: string, brief: boolean): boolean =>
  text.length > (brief ? 200 : 1000) || text.split('\n').length > (brief ? 3 : 14);

/** `brief` shows less of its beginning: for a text above what the page is about. */
export function LongText({ text, brief = false }: { text: string; brief?: boolean }) {
  const [all, setAll] = useState(false);
  const id = useId();
  if (!isLong(text, brief)) return <p class="text">{text}</p>;
  return (
    <div class="text">
      <p class={all ? 'text' : brief ? 'text fold brief' : 'text fold'} id={id}>
        {text}
      </p>
      <Button
        small
        kind="quiet"
        expands={{ id, open: all }}
        onClick={() => {
          setAll(!all);
        }}
      >
        {all ? 'Show less' : `Show all ${count(text.length)} characters`}
      </Button>
    </div>
  );
}
