'use client'

import { useSyncExternalStore } from 'react'
import { useTranslations } from 'use-intl/react'
import { ruleSetTitle } from '#app/limits/rule-set-title.ts'
import { refusingRuleText } from '#app/limits/rule-text.ts'
import { useCountdown } from '#app/limits/use-countdown.ts'
import { waitProgress } from '#app/limits/wait.ts'
import { WaitMeter } from '#app/limits/wait-meter.tsx'
import { useFormat } from '#app/ui/use-format.ts'
import type { LongWork } from './long-work.ts'

const bar =
  'my-1.5 block h-2 w-full appearance-none overflow-hidden rounded-full bg-sunken ring-1 ring-line ring-inset [&::-moz-progress-bar]:bg-water [&::-webkit-progress-bar]:bg-transparent [&::-webkit-progress-value]:bg-water'

/** The progress of long work and the limit that it waits for, below a toast's title. Screen readers read it on request only. */
export function WorkProgress({ work }: { work: LongWork }) {
  const t = useTranslations('gallery')
  const tFailures = useTranslations('failures')
  const tSets = useTranslations('ruleSets')
  const format = useFormat()
  const { done, waitsFor } = useSyncExternalStore(work.subscribe, work.state, work.state)
  const seconds = useCountdown(waitsFor?.until ?? null)
  return (
    <>
      <progress aria-label={t('progress')} value={done} max={work.total} className={bar} />
      <span aria-hidden="true" className="figures block text-ink-soft">
        {t('progressOf', { done, total: work.total })}
      </span>
      {waitsFor && (
        <span aria-hidden="true" className="figures mt-1 flex items-center gap-2 text-gate">
          <WaitMeter
            progress={waitProgress(waitsFor.until, waitsFor.waitMs, waitsFor.until - seconds * 1000)}
            className="size-4 shrink-0"
          />
          {t('resumingIn', {
            ruleSet: ruleSetTitle(waitsFor.ruleSet, tSets),
            rule: refusingRuleText(waitsFor.rule, tFailures, format),
            wait: format.wait(1000 * seconds),
          })}
        </span>
      )}
    </>
  )
}
