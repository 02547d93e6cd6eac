'use client'

import { useTranslations } from 'use-intl/react'
import { useFormat } from '#app/ui/use-format.ts'

interface Props {
  /** Milliseconds, from now on. */
  windowMs: number
  resetMs: number
  waitMs: number
}

/** The time from now on: closed until the next call passes, then open, with a mark where more permits return. The text beside it
 *  says the same. */
export function WindowLine({ windowMs, resetMs, waitMs }: Props) {
  const t = useTranslations('adminExplain')
  const format = useFormat()
  const whole = Math.max(windowMs, resetMs, waitMs, 1)
  const at = (ms: number) => `${(ms / whole) * 100}%`
  return (
    <div aria-hidden="true" className="figures text-xs text-ink-soft">
      <div className="relative h-3 overflow-hidden rounded-sm bg-good/25 ring-1 ring-line ring-inset">
        <span className="absolute inset-y-0 left-0 bg-gate/70" style={{ width: at(waitMs) }} />
        {resetMs > 0 && (
          <span className="absolute inset-y-0 w-0.5 -translate-x-1/2 bg-ink" style={{ left: at(resetMs) }} />
        )}
      </div>
      <div className="mt-0.5 flex justify-between">
        <span>{t('now')}</span>
        <span>{t('inWait', { wait: format.wait(whole) })}</span>
      </div>
    </div>
  )
}
