'use client'

import { lazy, type ReactNode, Suspense } from 'react'
import type { DialogProps } from './dialog-props.ts'

const DialogBox = lazy(() => import('./dialog-box.tsx').then((module) => ({ default: module.DialogBox })))

/** A dialog, loaded when the first one opens. */
export function Dialog({ isOpen, ...dialog }: DialogProps & { isOpen: boolean }) {
  if (!isOpen) return null
  return (
    <Suspense fallback={null}>
      <DialogBox {...dialog} />
    </Suspense>
  )
}

export function DialogActions({ children }: { children: ReactNode }) {
  return <div className="mt-1 flex flex-wrap-reverse justify-end gap-2">{children}</div>
}
