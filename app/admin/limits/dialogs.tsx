'use client'

import { useEffect } from 'react'
import { late } from '#app/ui/late.tsx'
import { type OpenDialog, useConsole } from './console.tsx'

const AddedEditor = late(() => import('./editor/added-editor.tsx'))
const OverrideEditor = late(() => import('./editor/override-editor.tsx'))
const BlockDialog = late(() => import('./blocks/block-dialog.tsx'))
const ResetDialog = late(() => import('./subjects/reset-dialog.tsx'))

/** The open dialog. Others may change what it edits. */
export function OpenedDialog({ dialog, onClose }: { dialog: OpenDialog; onClose: () => void }) {
  const { ruleSets } = useConsole().list
  useFirstField()
  if (dialog.kind === 'block') return <BlockDialog {...dialog} onClose={onClose} />
  if (dialog.kind === 'reset') return <ResetDialog {...dialog} onClose={onClose} />
  if (dialog.kind === 'added') return <AddedEditor known={dialog.known} onClose={onClose} />
  const { set, target } = dialog
  const current = ruleSets.find(({ name }) => name === set.name) ?? set
  return <OverrideEditor set={current} initialTarget={target} onClose={onClose} />
}

/** Moves the focus from the dialog, which takes it when it is loaded, to its first field, with what was typed before. */
function useFirstField(): void {
  useEffect(() => {
    let typed = ''
    const stop = new AbortController()
    const keep = (event: KeyboardEvent) => {
      if ([...event.key].length !== 1 || event.ctrlKey || event.metaKey || event.altKey) return
      event.preventDefault()
      typed += event.key
    }
    const give = ({ target }: FocusEvent) => {
      stop.abort()
      if (!(target instanceof Element) || !target.matches('[role=dialog]')) return
      target.querySelector<HTMLElement>('select, input:not([type=radio])')?.focus()
      if (typed) document.execCommand('insertText', false, typed)
    }
    window.addEventListener('keydown', keep, { capture: true, signal: stop.signal })
    window.addEventListener('focusin', give, { signal: stop.signal })
    return () => stop.abort()
  }, [])
}
