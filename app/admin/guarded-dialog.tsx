'use client'

import { type ReactNode, useEffect, useState } from 'react'
import { Confirm } from '#app/ui/confirm.tsx'
import { Dialog } from '#app/ui/dialog.tsx'

interface Props {
  title: string
  /** Whether there is something to lose. */
  isChanged: boolean
  isWide?: boolean
  onClose: () => void
  /** `leave` closes it, and asks first where something is lost. */
  children: (leave: () => void) => ReactNode
}

/** A dialog that is not left with changes unless that is meant, nor by closing or loading the page anew. */
export function GuardedDialog({ title, isChanged, isWide = false, onClose, children }: Props) {
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
        title="Leave without saving?"
        action="Leave"
        onClose={() => setAsking(false)}
        onConfirm={onClose}
      >
        What was changed here is lost.
      </Confirm>
    </>
  )
}
