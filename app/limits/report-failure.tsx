'use client'

import { leaveTo } from '#app/shell/sign-in.ts'
import { dismiss, toast } from '#app/ui/toast-queue.ts'
import { isSignedOut, messageOf } from './message.ts'
import { refusalOf } from './refusal.ts'
import { RefusalNotice } from './refusal-notice.tsx'

/** Tells of an action that failed: a refusal with its countdown and a way to try again, a session that has ended with the way back in, or a sentence. */
export function reportFailure(what: string, error: unknown, retry?: () => void): void {
  const refusal = refusalOf(error)
  if (isSignedOut(error)) {
    toast(
      { title: `${what} ${messageOf(error)}`, action: { label: 'Sign in', run: comeBackSignedIn } },
      { stays: true },
    )
    return
  }
  if (!refusal) {
    const title = `${what} ${messageOf(error)}`
    // Only here is it known what is left to be done.
    if (retry) toast({ title, action: { label: 'Try again', run: retry } }, { stays: true })
    else toast({ title })
    return
  }
  const again = () => {
    dismiss(key)
    retry?.()
  }
  const body = <RefusalNotice refusal={refusal} onRetry={retry ? again : undefined} className="mt-2" />
  const key = toast({ title: what, body }, { stays: true })
}

function comeBackSignedIn(): void {
  const { pathname, search } = window.location
  leaveTo(`/signin?next=${encodeURIComponent(pathname + search)}`)
}
