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

/** Shows one toast at a time, the newest; earlier ones return after it. */
export const queue = new ToastQueue<ToastMessage>({ maxVisibleToasts: 1 })

/** The key of the toast that only informs. A later toast replaces it for good. */
let sentence: string | null = null

/** Shows a toast for 6 s, 10 s with an action, or until it is dismissed. Returns its key. */
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
