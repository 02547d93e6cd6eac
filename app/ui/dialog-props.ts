import type { ReactNode } from 'react'

export interface DialogProps {
  title: string
  onClose: () => void
  /** `alertdialog` for a question that must be answered. */
  role?: 'dialog' | 'alertdialog'
  /** For a form that needs two columns. */
  isWide?: boolean
  /** Whether a press outside closes it. Set it to false if that would lose something. */
  isDismissable?: boolean
  children: ReactNode
}
