/** The classes of a text field. */
export const inputClass =
  'h-10 w-full min-w-0 rounded-md border border-line-strong bg-surface px-3 text-ink placeholder:text-ink-soft invalid:border-danger aria-invalid:border-danger focus:outline-2 focus:-outline-offset-1 focus:outline-water'
