'use client'

import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl/react'
import { useFormat } from '#app/ui/use-format.ts'

interface Props {
  /** Milliseconds, from now on. */
  windowMs: number
  resetMs: number
  waitMs: number
  /** What the line shows, in words. */
  children: ReactNode
}

/** The time from now on: closed until the next call passes, then open, with a mark where more permits return. */
export function WindowLine({ windowMs, resetMs, waitMs, children }: Props) {
  const t = useTranslations('adminExplain')
  const format = useFormat()
  const whole = Math.max(windowMs, resetMs, waitMs, 1)
  const at = (ms: number) => `${(ms / whole) * 100}%`
  return (
    <div className="flex flex-col gap-1">
      <div
        aria-hidden="true"
        className="relative h-3 overflow-hidden rounded-sm bg-good/25 ring-1 ring-line ring-inset"
      >
        <span className="absolute inset-y-0 left-0 bg-gate/70" style={{ width: at(waitMs) }} />
        {resetMs > 0 && (
          <span className="absolute inset-y-0 w-0.5 -translate-x-1/2 bg-ink" style={{ left: at(resetMs) }} />
        )}
      </div>
      <p className="flex justify-between gap-x-3">
        {children}
        <span aria-hidden="true" className="shrink-0 whitespace-nowrap text-ink-soft">
          {t('inWait', { wait: format.wait(whole) })}
        </span>
      </p>
    </div>
  )
}
