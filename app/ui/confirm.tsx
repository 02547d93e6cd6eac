'use client'

import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl/react'
import { Button } from './button.tsx'
import type { Tone } from './button-class.ts'
import { Dialog, DialogActions } from './dialog.tsx'

interface Props {
  isOpen: boolean
  title: string
  /** The label of the confirming button. */
  action: string
  tone?: Tone
  onClose: () => void
  onConfirm: () => void
  children: ReactNode
}

/** Asks for confirmation before an action that cannot be undone. */
export function Confirm({ isOpen, title, action, tone = 'danger', onClose, onConfirm, children }: Props) {
  const t = useTranslations('ui')
  const confirm = () => {
    onClose()
    onConfirm()
  }
  return (
    <Dialog role="alertdialog" title={title} isOpen={isOpen} onClose={onClose}>
      <div className="text-ink-soft">{children}</div>
      <DialogActions>
        <Button onPress={onClose} autoFocus>
          {t('cancel')}
        </Button>
        <Button tone={tone} onPress={confirm}>
          {action}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
