'use client'

import { Notice } from '#app/ui/notice.tsx'
import { type CallFailure, isSignedOut, messageOf } from './message.ts'
import { refusalOf } from './refusal.ts'
import { RefusalNotice } from './refusal-notice.tsx'
import { useCountdown } from './use-countdown.ts'
import { useErrorText } from './use-error-text.ts'

/** What a form's last try came to, above its button: a refusal's countdown, or a sentence. Whoever is signed out signs in beside the form, which keeps what was typed. */
export function FormFailure({ error }: { error: CallFailure | null }) {
  if (!error) return null
  return (
    <div ref={bringIntoView}>
      <Words error={error} />
    </div>
  )
}

/** A long form may be sent from a field far above. */
const bringIntoView = (element: HTMLElement | null): void => element?.scrollIntoView({ block: 'nearest' })

function Words({ error }: { error: CallFailure }) {
  const sayError = useErrorText()
  const refusal = refusalOf(error)
  if (refusal) return <RefusalNotice refusal={refusal} />
  if (!isSignedOut(error)) return <Notice tone="danger">{messageOf(error, sayError)}</Notice>
  return (
    <Notice tone="danger">
      You are signed out.{' '}
      <a href="/signin" target="_blank" rel="noreferrer" className="underline underline-offset-4">
        Sign in in another tab
      </a>
      , then try again.
    </Notice>
  )
}

/** True while a refusal keeps a form from being sent again. */
export function useHeldBack(error: CallFailure | null): boolean {
  return useCountdown(refusalOf(error)?.until ?? null) > 0
}
