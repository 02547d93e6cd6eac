import type { ReactNode } from 'react'
import { UNSTABLE_ToastQueue as ToastQueue } from 'react-aria-components'

export interface ToastMessage {
  title: ReactNode
  body?: ReactNode
  action?: { label: ReactNode; run: () => void }
}

interface ToastOptions {
  stays?: boolean
  onClose?: () => void
}

/** One at a time, the newest; those before it come back after it. */
export const queue = new ToastQueue<ToastMessage>({ maxVisibleToasts: 1 })

/** What shows a mere sentence, which has been read when the next message comes. */
let sentence: string | null = null

/** Shows a message; for 6 s, 10 s when there is something to press, or until dismissed. Returns its key. */
export function toast(message: ToastMessage, { stays = false, onClose }: ToastOptions = {}): string {
  if (sentence !== null) queue.close(sentence)
  const timeout = message.action ? 10_000 : 6000
  const key = queue.add(message, { ...(!stays && { timeout }), ...(onClose && { onClose }) })
  sentence = message.action || stays ? null : key
  return key
}

export function dismiss(key: string): void {
  queue.close(key)
}
