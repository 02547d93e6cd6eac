'use client'

import { Eraser } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl/react'
import { CopyButton } from '#app/ui/copy-button.tsx'
import { IconButton } from '#app/ui/icon-button.tsx'
import { Tag } from '#app/ui/tag.tsx'
import { useFormat } from '#app/ui/use-format.ts'
import { useConsole } from '../console.tsx'
import { findSet } from '../places.ts'
import { SetLink } from '../set-link.tsx'
import { Bar, Counted, Thing } from '../subjects/counted.tsx'
import { countedText, fullness, permitsIn } from '../subjects/subject-text.ts'
import { targetName } from '../terms-text.ts'
import type { ExplainedLimits } from '../types.ts'

/** With what the call would have cost, if it has been refused. */
type Rule = Omit<ExplainedLimits['rules'][number], 'words'> & { readonly cost?: number }

export function ExplainedRules({ rules }: { rules: readonly Rule[] }) {
  const t = useTranslations('adminExplain')
  return (
    <ul aria-label={t('rules')} className="divide-y divide-line rounded-lg border border-line bg-surface">
      {rules.map((rule) => (
        <ExplainedRule key={`${rule.key} ${rule.policy}`} rule={rule} />
      ))}
    </ul>
  )
}

/** One rule: what is used, what is left, when more returns and when the next call passes. Times are from the decision on, which a
 *  rule with a cost was asked for in the past. */
function ExplainedRule({ rule }: { rule: Rule }) {
  const t = useTranslations('adminExplain')
  const format = useFormat()
  const { policy, unit, mode, key, limit, used, remaining, resetMs, waitMs, cost } = rule
  const say = permitsIn(format, unit)
  const [later, now] = cost === undefined ? (['passesIn', 'passesNow'] as const) : (['refusedFor', 'hadRoom'] as const)
  const next = waitMs > 0 ? t(mode === 'shadow' ? 'wouldRefuse' : later, { wait: format.wait(waitMs) }) : t(now)
  const more = used > 0 && resetMs > 0 ? [t('more', { wait: format.wait(resetMs) })] : []
  return (
    <li className="flex flex-col gap-2 px-4 py-3 text-sm">
      <Facts rule={rule} />
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
        {cost === undefined && used > 0 && <Reset rule={rule} />}
      </p>
    </li>
  )
}

/** The rule, what it counts, and what holds in its place. */
function Facts({ rule }: { rule: Rule }) {
  const t = useTranslations('adminExplain')
  const tLimits = useTranslations('adminLimits')
  const format = useFormat()
  const { ruleSet, unit, mode, algorithm, subject, argument, override, blockedMs, cost = 1 } = rule
  const isCaller = subject.kind !== 'site' && subject.kind !== 'network'
  return (
    <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <span className="font-medium">
        <SetLink name={findSet(useConsole().list, ruleSet)?.name ?? ruleSet}>{ruleSet}</SetLink>
      </span>
      <span>{format.rule(rule.parts)}</span>
      <span className="text-ink-soft">{algorithm}</span>
      {isCaller ? argument && <Thing argument={argument} /> : <Counted subject={subject} argument={argument} />}
      {override && <Tag tone="water">{t('overridden', { target: targetName(tLimits, override, null) })}</Tag>}
      {mode !== 'enforce' && <Tag tone="plain">{tLimits(`mode.${mode}`)}</Tag>}
      {cost > 1 && <Tag tone="plain">{t('cost', { cost: permitsIn(format, unit)(cost) })}</Tag>}
      {blockedMs > 0 && <Tag tone="danger">{t('blocked', { wait: format.wait(blockedMs) })}</Tag>}
    </p>
  )
}

/** Resets the count of the rule's key. */
function Reset({ rule: { ruleSet, policy, key, subject, argument } }: { rule: Rule }) {
  const t = useTranslations('adminExplain')
  const tLimits = useTranslations('adminLimits')
  const { mayChange, open } = useConsole()
  if (!mayChange) return null
  const counted = countedText(tLimits, subject, argument)
  return (
    <IconButton
      label={t('reset', { policy })}
      onPress={() => open({ kind: 'reset', input: { key }, subject: counted, ruleSet })}
    >
      <Eraser size={15} />
    </IconButton>
  )
}

interface WindowProps {
  /** Milliseconds, from now on. */
  windowMs: number
  resetMs: number
  waitMs: number
  /** What the line shows, in words. */
  children: ReactNode
}

/** The time from now on: closed until the next call passes, then open, with a mark where more permits return. */
function WindowLine({ windowMs, resetMs, waitMs, children }: WindowProps) {
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
