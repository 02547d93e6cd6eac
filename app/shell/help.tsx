'use client'

import { useEffect, useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { Dialog } from '#app/ui/dialog.tsx'
import { late } from '#app/ui/late.tsx'
import { keyCommand } from './key-command.ts'

const HelpList = late(() => import('./help-list.tsx'))

const opened = new EventTarget()

/** Opens the keyboard help. */
export function openHelp(): void {
  opened.dispatchEvent(new Event('open'))
}

/** Handles the keys that work on every page, and lists all shortcuts in a dialog. */
export function Help() {
  const t = useTranslations('shell')
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    const stop = new AbortController()
    const open = () => setOpen(true)
    opened.addEventListener('open', open, { signal: stop.signal })
    window.addEventListener('keydown', (event) => runCommand(event, open), { signal: stop.signal })
    return () => stop.abort()
  }, [])
  return (
    <Dialog title={t('help')} isOpen={isOpen} onClose={() => setOpen(false)}>
      <HelpList />
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
