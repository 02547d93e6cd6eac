'use client'

import { useTranslations } from 'use-intl/react'
import { useCountdown } from '#app/limits/use-countdown.ts'
import { useFormat } from '#app/ui/use-format.ts'
import { countUsed, type OwnRule } from './sets.ts'

interface Props {
  rule: OwnRule
  /** Of its set, for screen readers. */
  title: string
  /** When the figures were read (ms by this machine's clock). */
  readAt: number
}

/** One rule: how much of it is used, what is left and when more comes back. */
export function RuleBar({ rule, title, readAt }: Props) {
  const t = useTranslations('ownLimits')
  const format = useFormat()
  const { limit, remaining, resetMs, unit } = rule
  const used = countUsed(rule)
  const seconds = useCountdown(used > 0 && resetMs > 0 ? readAt + resetMs : null)
  const percent = limit === 0 ? 100 : Math.min(100, (used / limit) * 100)
  const say = (amount: number) => (unit === 'bytes' ? format.bytes(amount) : format.count(amount))
  const allowed = format.rule(rule.parts)
  const back = seconds > 0 ? t('back', { wait: format.wait(seconds * 1_000) }) : null
  const left = used === 0 ? t('unused') : t('left', { used: say(used), left: say(remaining) })
  return (
    <div className="flex flex-col gap-1">
      <meter
        aria-label={t('ruleOf', { title, rule: allowed })}
        aria-valuetext={format.parts([left, ...(back === null ? [] : [back])])}
        max={100}
        value={percent}
        className="sr-only"
      />
      <span
        aria-hidden="true"
        className="figures flex flex-wrap justify-between gap-x-3 text-[0.8125rem] text-ink-soft"
      >
        <span>{allowed}</span>
        <span className={remaining <= 0 ? 'font-medium text-gate' : 'text-ink'}>{left}</span>
      </span>
      <span aria-hidden="true" className="h-1.5 overflow-hidden rounded-full bg-line">
        <span
          className={`block h-full rounded-full transition-[width] duration-500 motion-reduce:transition-none ${used > 0 ? 'min-w-1' : ''} ${percent >= 90 ? 'bg-gate' : 'bg-water'}`}
          style={{ width: `${percent}%` }}
        />
      </span>
      {back !== null && (
        <span aria-hidden="true" className="figures text-[0.8125rem] text-ink-soft">
          {back}
        </span>
      )}
    </div>
  )
}
