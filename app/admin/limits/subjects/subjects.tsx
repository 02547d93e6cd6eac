'use client'

import { useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { Confirm } from '#app/ui/confirm.tsx'
import type { Translate } from '#app/ui/translate.ts'
import { useFormat } from '#app/ui/use-format.ts'
import { useConsole } from '../console.tsx'
import type { Stats } from '../types.ts'
import { Bar, Rank, Ranking, type Standing } from './ranking.tsx'
import { SubjectActions } from './subject-actions.tsx'
import { countedText, declaredName, fullness, permitsIn } from './subject-text.ts'
import { type ResetOf, useReset } from './use-reset.ts'

/** The subjects nearest to a limit and those refused most. */
export function Subjects({ stats }: { stats: Stats }) {
  const t = useTranslations('adminLimits')
  const [resetting, setResetting] = useState<ResetOf | null>(null)
  const reset = useReset()
  const rank = (standing: Standing) => ({
    standing,
    actions: <SubjectActions standing={standing} onReset={() => setResetting(resetOf(t, standing))} />,
  })
  return (
    <section aria-labelledby="subjects" className="mt-10">
      <h2 id="subjects" className="mb-3 text-lg font-semibold">
        {t('subjects')}
      </h2>
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <Ranking
          {...{ title: t('nearest'), period: t('nearestPeriod'), empty: t('nearestNone') }}
          standings={stats.nearest.map(asDeclared)}
        >
          {(near) => (
            <Rank {...rank(near)}>
              <Used near={near} />
            </Rank>
          )}
        </Ranking>
        <Ranking
          {...{ title: t('mostRefused'), period: t('mostRefusedPeriod'), empty: t('mostRefusedNone') }}
          standings={stats.mostRefused.map(asDeclared)}
        >
          {(most) => (
            <Rank {...rank(most)}>
              {t.rich('refusedLast', { count: most.refused, time: () => <Ago at={most.lastAt} now={stats.at} /> })}
            </Rank>
          )}
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
    </section>
  )
}

function Used({ near }: { near: Stats['nearest'][number] }) {
  const t = useTranslations('adminLimits')
  const format = useFormat()
  const { unit } = useConsole().list.ruleSets.find(({ name }) => name === near.ruleSet) ?? { unit: 'calls' }
  const say = permitsIn(format, unit)
  return (
    <span className="flex items-center gap-3">
      <Bar part={fullness(near)} />
      <span className="w-36 shrink-0 text-right">{t('used', { used: say(near.used), limit: say(near.limit) })}</span>
    </span>
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
