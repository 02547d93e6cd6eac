'use client'

import { useTranslations } from 'use-intl/react'
import { leaveTo } from '#app/shell/sign-in.ts'
import { dismiss, toast } from '#app/ui/toast-queue.ts'
import { useFormat } from '#app/ui/use-format.ts'
import { LateRefusal } from './late-refusal.tsx'
import { isSignedOut } from './message.ts'
import { findRefusal } from './refusal.ts'
import { useErrorMessage } from './use-error-message.ts'

const signIn = <Label name="signIn" />
const tryAgain = <Label name="tryAgain" />

/**
 * Shows a toast for a failed action, described by the sentence `what`: a refusal with its countdown, an ended session
 * with a link to sign in, or the reason. With `retry` it has a retry button.
 */
export function reportFailure(what: string, error: unknown, retry?: () => void): void {
  const refusal = findRefusal(error)
  const title = <Reason what={what} error={error} />
  if (isSignedOut(error)) {
    toast({ title, action: { label: signIn, run: signInAndReturn } }, { stays: true })
    return
  }
  if (!refusal) {
    // The toast must stay, or the button would disappear with it.
    if (retry) toast({ title, action: { label: tryAgain, run: retry } }, { stays: true })
    else toast({ title })
    return
  }
  const again = () => {
    dismiss(key)
    retry?.()
  }
  const body = <LateRefusal refusal={refusal} onRetry={retry ? again : undefined} className="mt-2" />
  const key = toast({ title: what, body }, { stays: true })
}

function Reason({ what, error }: { what: string; error: unknown }) {
  const errorMessage = useErrorMessage()
  return useFormat().sentences([what, errorMessage(error)])
}

function Label({ name }: { name: 'signIn' | 'tryAgain' }) {
  return useTranslations('failures')(name)
}

function signInAndReturn(): void {
  const { pathname, search } = window.location
  leaveTo(`/signin?next=${encodeURIComponent(pathname + search)}`)
}
