'use client'

import dynamic from 'next/dynamic'
import { useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { Confirm } from '#app/ui/confirm.tsx'
import type { Translate } from '#app/ui/translate.ts'
import { useFormat } from '#app/ui/use-format.ts'
import type { ChosenTarget } from '../places.ts'
import type { RuleSetItem, Stats } from '../types.ts'
import { Bar, Rank, Ranking, rowKeys, type Standing } from './ranking.tsx'
import { SubjectActions } from './subject-actions.tsx'
import { countedText, declaredName, fullness } from './subject-text.ts'
import { type ResetOf, useReset } from './use-reset.ts'

const BlockDialog = dynamic(() => import('../blocks/block-dialog.tsx').then((module) => module.BlockDialog))

interface Props {
  stats: Stats
  sets: readonly RuleSetItem[]
  /** Null for viewers who may not change limits. */
  onEdit: ((set: RuleSetItem, target: ChosenTarget) => void) | null
  /** Null for viewers who may not see how calls of others are decided. */
  onExplain: ((ruleSet: string, subject: string, argument: string | null) => void) | null
}

/** The subjects nearest to a limit and those refused most. */
export function Subjects({ stats, sets, onEdit, onExplain }: Props) {
  const t = useTranslations('adminLimits')
  const format = useFormat()
  const [resetting, setResetting] = useState<ResetOf | null>(null)
  const [blocking, setBlocking] = useState<Standing | null>(null)
  const reset = useReset()
  const setOf = new Map(sets.map((set) => [set.name, set]))
  const amount = (value: number, { ruleSet }: Standing) =>
    setOf.get(ruleSet)?.unit === 'bytes' ? format.bytes(value) : format.count(value)
  const actions = (standing: Standing) => (
    <SubjectActions
      standing={standing}
      set={setOf.get(standing.ruleSet)}
      onEdit={onEdit}
      onReset={onEdit && (() => setResetting(resetOf(t, standing)))}
      onBlock={onEdit && (() => setBlocking(standing))}
      onExplain={onExplain}
    />
  )
  const nearest = stats.nearest.map(asDeclared)
  const mostRefused = stats.mostRefused.map(asDeclared)
  const nearestKeys = rowKeys(nearest)
  const refusedKeys = rowKeys(mostRefused)
  return (
    <section aria-labelledby="subjects" className="mt-10">
      <h2 id="subjects" className="mb-3 text-lg font-semibold">
        {t('subjects')}
      </h2>
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <Ranking title={t('nearest')} period={t('nearestPeriod')} empty={t('nearestNone')}>
          {nearest.map((near, index) => (
            <Rank key={nearestKeys[index]} standing={near} actions={actions(near)}>
              <span className="flex items-center gap-3">
                <Bar part={fullness(near)} />
                <span className="w-36 shrink-0 text-right">
                  {t('used', { used: amount(near.used, near), limit: amount(near.limit, near) })}
                </span>
              </span>
            </Rank>
          ))}
        </Ranking>
        <Ranking title={t('mostRefused')} period={t('mostRefusedPeriod')} empty={t('mostRefusedNone')}>
          {mostRefused.map((most, index) => (
            <Rank key={refusedKeys[index]} standing={most} actions={actions(most)}>
              {t.rich('refusedLast', {
                count: most.refused,
                time: () => <Ago at={most.lastAt} now={stats.at} />,
              })}
            </Rank>
          ))}
        </Ranking>
      </div>
      <Confirm
        isOpen={resetting !== null}
        title={resetting ? t('resetTitle', { subject: resetting.subject, ruleSet: resetting.ruleSet }) : ''}
        action={t('resetUsage')}
        onClose={() => setResetting(null)}
        onConfirm={() => resetting && reset(resetting)}
      >
        {t('resetText')}
      </Confirm>
      {blocking && (
        <BlockDialog
          sets={sets}
          ruleSet={blocking.ruleSet}
          subject={blocking.subject}
          onClose={() => setBlocking(null)}
        />
      )}
    </section>
  )
}

/** Everything that a subject has used of the set; of one argument, that alone. */
function resetOf(t: Translate<'adminLimits'>, { subject, argument, key, ruleSet }: Standing): ResetOf {
  const input = argument && key !== null ? { key } : { ruleSet, subject: subject.key }
  return { input, subject: countedText(t, subject, argument), ruleSet }
}

const asDeclared = <T extends Standing>(standing: T): T => ({ ...standing, ruleSet: declaredName(standing.ruleSet) })

/** Both times come from the server's clock. */
function Ago({ at, now }: { at: number; now: number }) {
  const format = useFormat()
  const iso = new Date(at).toISOString()
  return (
    <time dateTime={iso} title={format.date(iso, { time: true })}>
      {format.ago(now - at)}
    </time>
  )
}
