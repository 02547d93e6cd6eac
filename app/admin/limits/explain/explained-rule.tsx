'use client'

import { useTranslations } from 'use-intl/react'
import { CopyButton } from '#app/ui/copy-button.tsx'
import { Tag } from '#app/ui/tag.tsx'
import { useFormat } from '#app/ui/use-format.ts'
import { Bar } from '../subjects/ranking.tsx'
import { declaredName, fullness } from '../subjects/subject-text.ts'
import { targetName } from '../terms-text.ts'
import type { ExplainedLimits } from '../types.ts'
import { WindowLine } from './window-line.tsx'

interface Props {
  /** With what the call would have cost, if it has been refused. */
  rule: Omit<ExplainedLimits['rules'][number], 'words'> & { readonly cost?: number }
}

/** One rule: what is used, what is left, when more returns and when the next call passes. Times are from the decision on, which a
 *  rule with a cost was asked for in the past. */
export function ExplainedRule({ rule }: Props) {
  const t = useTranslations('adminExplain')
  const tLimits = useTranslations('adminLimits')
  const format = useFormat()
  const { ruleSet, policy, unit, mode, key, algorithm, limit, used, remaining, resetMs, waitMs, blockedMs, cost } = rule
  const say = (amount: number) => (unit === 'bytes' ? format.bytes(amount) : format.count(amount))
  const isPast = cost !== undefined
  const next =
    waitMs > 0
      ? t(isPast ? 'refusedFor' : 'passesIn', { wait: format.wait(waitMs) })
      : t(isPast ? 'hadRoom' : 'passesNow')
  const more = used > 0 && resetMs > 0 ? [t('more', { wait: format.wait(resetMs) })] : []
  return (
    <li className="flex flex-col gap-2 px-4 py-3 text-sm">
      <p className="flex flex-wrap items-baseline gap-x-2 gap-y-1">
        <a href={`#set-${declaredName(ruleSet)}`} className="rounded-sm font-medium text-water hover:underline">
          {ruleSet}
        </a>
        <span>{format.rule(rule.parts)}</span>
        <span className="text-ink-soft">{algorithm}</span>
        {rule.override && (
          <Tag tone="water">{t('overridden', { target: targetName(tLimits, rule.override, null) })}</Tag>
        )}
        {mode !== 'enforce' && <Tag tone="plain">{tLimits(`mode.${mode}`)}</Tag>}
        {isPast && cost > 1 && <Tag tone="plain">{t('cost', { cost: say(cost) })}</Tag>}
        {blockedMs > 0 && <Tag tone="danger">{t('blocked', { wait: format.wait(blockedMs) })}</Tag>}
      </p>
      <div className="figures grid gap-x-6 gap-y-1.5 sm:grid-cols-2">
        <div className="flex flex-col gap-1">
          <span className="flex h-3 items-center">
            <Bar part={fullness({ used, limit })} />
          </span>
          <span className={remaining <= 0 ? 'font-medium text-gate' : ''}>
            {t('used', { used: say(used), limit: say(limit), left: say(remaining) })}
          </span>
        </div>
        <WindowLine {...rule}>
          <span className={waitMs > 0 ? 'font-medium text-gate' : 'text-good'}>{format.parts([next, ...more])}</span>
        </WindowLine>
      </div>
      <p className="flex items-center gap-1">
        <code className="min-w-0 text-xs break-all text-ink-soft">{key}</code>
        <CopyButton text={key} label={t('copyKey', { policy })} />
      </p>
    </li>
  )
}
