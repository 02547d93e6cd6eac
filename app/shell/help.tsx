'use client'

import { useEffect, useState } from 'react'
import { Dialog } from '#app/ui/dialog.tsx'
import { keyCommand } from './key-command.ts'

const shortcuts = [
  ['u', 'Upload files'],
  ['Ctrl V', 'Upload a picture from the clipboard'],
  ['/', 'Search, where there is a search'],
  ['← ↑ → ↓', 'Move among images'],
  ['Space', 'Select the image'],
  ['Ctrl A', 'Select every image of the list'],
  ['Delete', 'Move to the trash'],
  ['Enter', 'Open the image'],
  ['Esc', 'Give up the selection, or go back'],
  ['?', 'This help'],
] as const

const opened = new EventTarget()

/** Opens the keyboard help from wherever. */
export function openHelp(): void {
  opened.dispatchEvent(new Event('open'))
}

/** The keys that work on every page, and the dialog that names them all. */
export function Help() {
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    const stop = new AbortController()
    const open = () => setOpen(true)
    opened.addEventListener('open', open, { signal: stop.signal })
    window.addEventListener('keydown', (event) => runCommand(event, open), { signal: stop.signal })
    return () => stop.abort()
  }, [])
  return (
    <Dialog title="Keyboard shortcuts" isOpen={isOpen} onClose={() => setOpen(false)}>
      <dl className="grid grid-cols-[max-content_1fr] items-baseline gap-x-5 gap-y-2 text-sm">
        {shortcuts.map(([keys, meaning]) => (
          <div key={keys} className="contents">
            <dt>
              <kbd className="rounded-sm border border-line bg-sunken px-1.5 py-0.5 font-mono text-xs">{keys}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}

function runCommand(event: KeyboardEvent, open: () => void): void {
  const command = keyCommand(event)
  if (!command) return
  const target =
    command === 'upload'
      ? document.querySelector<HTMLElement>('[data-upload]')
      : document.querySelector<HTMLElement>('[data-search] input')
  if (command !== 'help' && !target) return
  event.preventDefault()
  if (command === 'help') open()
  else if (command === 'upload') target?.click()
  else target?.focus()
}
