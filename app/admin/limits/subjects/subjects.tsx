'use client'

import { useState } from 'react'
import { Confirm } from '#app/ui/confirm.tsx'
import { formatBytes } from '#format/bytes.ts'
import { formatCount } from '#format/counts.ts'
import { formatDate } from '#format/dates.ts'
import type { ChosenTarget } from '../overrides/target-fields.tsx'
import type { RuleSetItem, Stats } from '../types.ts'
import { Bar, Rank, Ranking, type Standing } from './ranking.tsx'
import { rowKeys } from './row-keys.ts'
import { SubjectActions, useForgetting } from './subject-actions.tsx'
import { agoWords, declaredName, fullness, subjectWords } from './subject-words.ts'

interface Props {
  stats: Stats
  sets: readonly RuleSetItem[]
  /** Null for those who may only look. */
  onEdit: ((set: RuleSetItem, target: ChosenTarget) => void) | null
}

/** Who is nearest to a limit, and who was refused most. */
export function Subjects({ stats, sets, onEdit }: Props) {
  const [forgetting, setForgetting] = useState<Standing | null>(null)
  const forget = useForgetting()
  const setOf = new Map(sets.map((set) => [set.name, set]))
  const amount = (value: number, { ruleSet }: Standing) =>
    setOf.get(ruleSet)?.unit === 'bytes' ? formatBytes(value) : formatCount(value)
  const actions = (standing: Standing) =>
    onEdit && (
      <SubjectActions
        standing={standing}
        set={setOf.get(standing.ruleSet)}
        onEdit={onEdit}
        onForget={() => setForgetting(standing)}
      />
    )
  const nearest = stats.nearest.map(asDeclared)
  const mostRefused = stats.mostRefused.map(asDeclared)
  const nearestKeys = rowKeys(nearest)
  const refusedKeys = rowKeys(mostRefused)
  return (
    <section aria-labelledby="subjects" className="mt-10">
      <h2 id="subjects" className="mb-3 text-lg font-semibold">
        Subjects
      </h2>
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <Ranking title="Nearest to a limit" when="in the last minute" empty="Nobody has used half of a limit.">
          {nearest.map((near, index) => (
            <Rank key={nearestKeys[index]} standing={near} actions={actions(near)}>
              <span className="flex items-center gap-3">
                <Bar part={fullness(near)} />
                <span className="w-36 shrink-0 text-right">
                  {amount(near.used, near)} of {amount(near.limit, near)}
                </span>
              </span>
            </Rank>
          ))}
        </Ranking>
        <Ranking title="Most refused" when="in the last hour" empty="Nobody has been refused.">
          {mostRefused.map((most, index) => (
            <Rank key={refusedKeys[index]} standing={most} actions={actions(most)}>
              {formatCount(most.refused)} refused, last <Ago at={most.lastAt} now={stats.at} />
            </Rank>
          ))}
        </Ranking>
      </div>
      <Confirm
        isOpen={forgetting !== null}
        title={`Forget what ${forgetting ? subjectWords(forgetting.subject) : ''} has used of ${forgetting?.ruleSet}?`}
        action="Forget usage"
        onClose={() => setForgetting(null)}
        onConfirm={() => forgetting && forget(forgetting)}
      >
        Their count begins again at nothing, in every process. It cannot be put back.
      </Confirm>
    </section>
  )
}

const asDeclared = <T extends Standing>(standing: T): T => ({ ...standing, ruleSet: declaredName(standing.ruleSet) })

/** By the server's clock, which both times are of. */
function Ago({ at, now }: { at: number; now: number }) {
  const iso = new Date(at).toISOString()
  return (
    <time dateTime={iso} title={formatDate(iso, { time: true })}>
      {agoWords(now - at)}
    </time>
  )
}
