import { useTranslations } from 'use-intl/react'
import type { LiveState } from './use-live-stats.ts'

const dots = {
  live: 'bg-good',
  polling: 'bg-line-strong',
  connecting: 'bg-line-strong',
  reconnecting: 'bg-gate',
  signedOut: 'bg-danger',
  paused: 'bg-line-strong',
} as const satisfies Record<LiveState, string>

/** How fresh the figures are. A screen reader announces only this, not each figure. */
export function LiveSign({ state }: { state: LiveState }) {
  const t = useTranslations('adminLimits')
  return (
    <p role="status" className="flex items-center gap-2 text-sm font-medium text-ink-soft">
      <span aria-hidden="true" className={`size-2 rounded-full ${dots[state]}`} />
      {t(`live.${state}`)}
    </p>
  )
}
