import type { ReactNode } from 'react'
import { UNSTABLE_ToastQueue as ToastQueue } from 'react-aria-components'

export interface ToastMessage {
  title: string
  body?: ReactNode
  action?: { label: string; run: () => void }
}

export const queue = new ToastQueue<ToastMessage>({ maxVisibleToasts: 3 })

/** Shows a message; for 6 s, 10 s when there is something to press, or until dismissed. Returns its key. */
export function toast(message: ToastMessage, options: { stays?: boolean } = {}): string {
  const timeout = message.action ? 10_000 : 6000
  return queue.add(message, options.stays ? {} : { timeout })
}

export function dismiss(key: string): void {
  queue.close(key)
}
