'use client'

import { Notice } from '#app/ui/notice.tsx'
import { type Failure, messageOf } from './message.ts'
import { refusalOf } from './refusal.ts'
import { RefusalNotice } from './refusal-notice.tsx'
import { useCountdown } from './use-countdown.ts'

/** What a form's last try came to, above its button: a refusal's countdown, or a sentence. */
export function FormFailure({ error }: { error: Failure | null }) {
  if (!error) return null
  const refusal = refusalOf(error)
  return refusal ? <RefusalNotice refusal={refusal} /> : <Notice tone="danger">{messageOf(error)}</Notice>
}

/** True while a refusal keeps a form from being sent again. */
export function useHeldBack(error: Failure | null): boolean {
  return useCountdown(refusalOf(error)?.until ?? null) > 0
}
