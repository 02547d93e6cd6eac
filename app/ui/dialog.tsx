'use client'

import type { ReactNode } from 'react'
import type { DialogProps } from './dialog-props.ts'
import { late } from './late.tsx'

const DialogBox = late<DialogProps>(() => import('./dialog-box.tsx'))

/** A dialog, loaded when the first one opens. */
export function Dialog({ isOpen, ...dialog }: DialogProps & { isOpen: boolean }) {
  return isOpen ? <DialogBox {...dialog} /> : null
}

export function DialogActions({ children }: { children: ReactNode }) {
  return <div className="mt-1 flex flex-wrap-reverse justify-end gap-2">{children}</div>
}
