'use client'

import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl/react'
import { Notice } from '#app/ui/notice.tsx'
import { LateRefusal } from './late-refusal.tsx'
import { type CallFailure, isSignedOut } from './message.ts'
import { findRefusal } from './refusal.ts'
import { useCountdown } from './use-countdown.ts'
import { useErrorMessage } from './use-error-message.ts'

/** The result of a form's last attempt, above its button: a refusal's countdown or a sentence. A user who is signed out signs in
 *  in another tab, so that the form keeps its values. */
export function FormFailure({ error }: { error: CallFailure | null }) {
  if (!error) return null
  return (
    <div ref={bringIntoView}>
      <Words error={error} />
    </div>
  )
}

/** A long form may have been submitted from a field far above. */
const bringIntoView = (element: HTMLElement | null): void => element?.scrollIntoView({ block: 'nearest' })

function Words({ error }: { error: CallFailure }) {
  const t = useTranslations('failures')
  const errorMessage = useErrorMessage()
  const refusal = findRefusal(error)
  if (refusal) return <LateRefusal refusal={refusal} />
  if (!isSignedOut(error)) return <Notice tone="danger">{errorMessage(error)}</Notice>
  const link = (text: ReactNode) => (
    <a href="/signin" target="_blank" rel="noreferrer" className="underline underline-offset-4">
      {text}
    </a>
  )
  return <Notice tone="danger">{t.rich('signedOut', { link })}</Notice>
}

/** Whether a refusal keeps a form from being submitted again. */
export function useHeldBack(error: CallFailure | null): boolean {
  return useCountdown(findRefusal(error)?.until ?? null) > 0
}
