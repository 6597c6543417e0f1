/** A form that the page answers itself, with messages of its own beside the fields. */
import type { ComponentChildren } from 'preact';

export function Form({ onSubmit, children }: { onSubmit: () => void; children: ComponentChildren }) {
  return (
    <form
      class="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
    </form>
  );
}
