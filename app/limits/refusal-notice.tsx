'use client'

import { useEffect, useEffectEvent, useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { buttonClass } from '#app/ui/button-class.ts'
import { useFormat } from '#app/ui/use-format.ts'
import type { RefusedCall } from './refusal.ts'
import { ruleSetTitle } from './rule-set-title.ts'
import { refusingRuleText } from './rule-text.ts'
import { useCountdown } from './use-countdown.ts'
import { secondsLeft, waitProgress } from './wait.ts'
import { WaitMeter } from './wait-meter.tsx'

export interface RefusalNoticeProps {
  refusal: RefusedCall
  /** Offered as a button after the wait. */
  onRetry?: (() => void) | undefined
  /** Called once after the wait, for work that resumes automatically. */
  onOver?: (() => void) | undefined
  /** Whether the refused call is retried automatically. */
  resumes?: boolean
  retryLabel?: string
  /** Whether the page itself was refused, whose request ID the document has (app/layout.tsx). */
  isPage?: boolean
  className?: string
}

/**
 * Names the rule that refused a call and counts down to the next attempt. Announced at the start and the end of the
 * wait.
 */
export function RefusalNotice({
  refusal,
  onRetry,
  onOver,
  resumes = false,
  retryLabel,
  isPage = false,
  className = '',
}: RefusalNoticeProps) {
  const t = useTranslations('failures')
  const tShell = useTranslations('shell')
  const [ownId, setOwnId] = useState('')
  useEffect(() => {
    if (isPage) setOwnId(document.querySelector<HTMLMetaElement>('meta[name=request-id]')?.content ?? '')
  }, [isPage])
  const format = useFormat()
  const { until, waitMs, from } = refusal
  const requestId = from && 'requestId' in from ? String(from.requestId) : ownId
  const ruleSet = ruleSetTitle(refusal.ruleSet, useTranslations('ruleSets'))
  const rule = refusingRuleText(refusal.rule, t, format)
  const seconds = useCountdown(until)
  const over = seconds === 0
  const overNow = useEffectEvent(() => onOver?.())
  useEffect(() => {
    if (over) overNow()
  }, [over])
  const wait = format.wait(1000 * seconds)
  const whole = { ruleSet, rule, wait: format.wait(1000 * secondsLeft(until, until - waitMs)) }
  return (
    <div
      className={`flex flex-wrap items-center gap-x-3 gap-y-2 rounded-md bg-gate-soft px-3 py-2.5 text-gate ${className}`}
    >
      <WaitMeter
        progress={over ? 1 : waitProgress(until, waitMs, until - seconds * 1000)}
        className="size-6 shrink-0"
      />
      <p className="min-w-0 flex-1 basis-44 text-sm leading-snug">
        <span className="block font-semibold text-ink">{t('limitReached')}</span>
        <span className="figures block text-ink">{t('rule', { ruleSet, rule })}</span>
        <span aria-hidden="true" className="figures block">
          {over ? t(resumes ? 'resuming' : 'ready') : t(resumes ? 'resumingIn' : 'tryAgainIn', { wait })}
        </span>
        {requestId && (
          <span className="mt-0.5 block text-xs text-ink-soft break-all select-all">
            {tShell('requestId', { requestId })}
          </span>
        )}
        <span role="status" className="sr-only">
          {over ? t(resumes ? 'resuming' : 'ready') : t(resumes ? 'limitSpokenResuming' : 'limitSpoken', whole)}
        </span>
      </p>
      {onRetry && (
        <button type="button" disabled={!over} onClick={onRetry} className={`${buttonClass('plain', 'small')} ml-auto`}>
          {retryLabel ?? t('tryAgain')}
        </button>
      )}
    </div>
  )
}
