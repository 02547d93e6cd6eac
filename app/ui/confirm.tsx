'use client'

import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import type { Tone } from './button-class.ts'
import { Dialog, DialogActions } from './dialog.tsx'

interface Props {
  isOpen: boolean
  title: string
  /** The word on the button that does it. */
  action: string
  tone?: Tone
  onClose: () => void
  onConfirm: () => void
  children: ReactNode
}

/** Asks before something that cannot be undone. */
export function Confirm({ isOpen, title, action, tone = 'danger', onClose, onConfirm, children }: Props) {
  const confirm = () => {
    onClose()
    onConfirm()
  }
  return (
    <Dialog role="alertdialog" title={title} isOpen={isOpen} onClose={onClose}>
      <div className="text-ink-soft">{children}</div>
      <DialogActions>
        <Button onPress={onClose} autoFocus>
          Cancel
        </Button>
        <Button tone={tone} onPress={confirm}>
          {action}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
