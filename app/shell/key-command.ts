export type KeyCommand = 'help' | 'upload' | 'search'

const commands: Readonly<Record<string, KeyCommand>> = { '?': 'help', u: 'upload', '/': 'search' }

/** Returns the command for a key pressed outside fields and dialogs; null for most keys. */
export function keyCommand(event: KeyboardEvent): KeyCommand | null {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTaken(event.target)) return null
  return commands[event.key] ?? null
}

/** Whether keys have another meaning at the target: in text fields, menus and dialogs. */
export function isTaken(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest(
      'input:not([type=checkbox]), textarea, select, [contenteditable], [role=dialog], [role=alertdialog], [role=menu], [role=listbox]',
    ) !== null
  )
}
