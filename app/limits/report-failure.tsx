'use client'

import { dismiss, toast } from '#app/ui/toast-queue.ts'
import { messageOf } from './message.ts'
import { refusalOf } from './refusal.ts'
import { RefusalNotice } from './refusal-notice.tsx'

/** Tells of an action that failed: a refusal with its countdown and a way to try again, or a sentence. */
export function reportFailure(what: string, error: unknown, retry?: () => void): void {
  const refusal = refusalOf(error)
  if (!refusal) {
    toast({ title: `${what} ${messageOf(error)}`, ...(retry ? { action: { label: 'Try again', run: retry } } : {}) })
    return
  }
  const again = () => {
    dismiss(key)
    retry?.()
  }
  const body = <RefusalNotice refusal={refusal} onRetry={retry ? again : undefined} className="mt-2" />
  const key = toast({ title: what, body }, { stays: true })
}
