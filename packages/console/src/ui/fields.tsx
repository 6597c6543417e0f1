/** Labels and controls of forms, tied together for screen readers. */
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';

export interface FieldProps {
  label: string;
  hint?: ComponentChildren;
  error?: string | undefined;
  children: (attributes: {
    id: string;
    'aria-describedby': string | undefined;
    'aria-invalid': boolean;
  }) => ComponentChildren;
}

/** A label, a control and what is to be known about it, tied together for screen readers. */
export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId();
  const about = hint !== undefined || error !== undefined ? `${id}-about` : undefined;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, 'aria-describedby': about, 'aria-invalid': error !== undefined })}
      {about !== undefined && (
        <div id={about} class={error === undefined ? 'hint' : 'error-text'}>
          {error ?? hint}
        </div>
      )}
    </div>
  );
}

export interface TextFieldProps {
  label: string;
  value: string;
  onInput: (value: string) => void;
  hint?: ComponentChildren;
  error?: string | undefined;
  rows?: number;
  type?: 'text' | 'password' | 'number' | 'url' | 'search' | 'datetime-local';
  placeholder?: string;
  required?: boolean;
  autoFocus?: boolean;
  min?: number;
  max?: number;
  step?: number | 'any';
  autocomplete?: string;
}

export function TextField({ label, value, onInput, hint, error, rows, autoFocus, ...rest }: TextFieldProps) {
  const control = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  useEffect(() => {
    // a dialog that opens around it goes by the attribute
    if (autoFocus) control.current?.focus();
  }, [autoFocus]);
  return (
    <Field label={label} hint={hint} error={error}>
      {(attributes) =>
        rows === undefined ? (
          <input
            {...attributes}
            {...(rest as object)}
            autofocus={autoFocus}
            ref={control}
            class="input"
            value={value}
            onInput={(event) => {
              onInput(event.currentTarget.value);
            }}
          />
        ) : (
          <textarea
            {...attributes}
            placeholder={rest.placeholder}
            required={rest.required}
            ref={control}
            rows={rows}
            value={value}
            onInput={(event) => {
              onInput(event.currentTarget.value);
            }}
          />
        )
      }
    </Field>
  );
}

export interface SelectFieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  options: readonly (readonly [value: string, text: string])[];
  hint?: ComponentChildren;
}

export const SelectField = ({ label, value, onChange, options, hint }: SelectFieldProps) => (
  <Field label={label} hint={hint}>
    {(attributes) => (
      <select
        {...attributes}
        value={value}
        onChange={(event) => {
          onChange(event.currentTarget.value);
        }}
      >
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
    )}
  </Field>
);

export const Check = ({
  checked,
  onChange,
  label,
  hint,
  disabled = false,
}: {
  checked: boolean;
  onChange: (checked: boolean) => void;
  label: ComponentChildren;
  hint?: string;
  disabled?: boolean;
}) => (
  <label class="check">
    <input
      type="checkbox"
      checked={checked}
      disabled={disabled}
      onChange={(event) => {
        onChange(event.currentTarget.checked);
      }}
    />
    <span>
      {label}
      {hint !== undefined && <small>{hint}</small>}
    </span>
  </label>
);
