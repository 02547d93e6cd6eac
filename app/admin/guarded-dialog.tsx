'use client'

import { type ReactNode, useEffect, useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { Confirm } from '#app/ui/confirm.tsx'
import { Dialog } from '#app/ui/dialog.tsx'

interface Props {
  title: string
  /** Whether there are unsaved changes. */
  isChanged: boolean
  isWide?: boolean
  onClose: () => void
  /** `leave` closes the dialog, and asks first if there are unsaved changes. */
  children: (leave: () => void) => ReactNode
}

/** A dialog that asks before unsaved changes are lost, also when the page is closed or reloaded. */
export function GuardedDialog({ title, isChanged, isWide = false, onClose, children }: Props) {
  const t = useTranslations('admin')
  const [isAsking, setAsking] = useState(false)
  const leave = () => (isChanged ? setAsking(true) : onClose())
  useEffect(() => {
    if (!isChanged) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [isChanged])
  return (
    <>
      <Dialog title={title} isOpen onClose={leave} isWide={isWide}>
        {children(leave)}
      </Dialog>
      <Confirm
        isOpen={isAsking}
        title={t('discardTitle')}
        action={t('discard')}
        onClose={() => setAsking(false)}
        onConfirm={onClose}
      >
        {t('discardText')}
      </Confirm>
    </>
  )
}
