'use client'

import { useState } from 'react'
import { Confirm } from '#app/ui/confirm.tsx'
import { formatBytes, formatCount } from '#app/ui/format.ts'
import { Moment } from '#app/ui/moment.tsx'
import { Bar, Rank, Ranking, type Standing } from './ranking.tsx'
import { rowKeys } from './row-keys.ts'
import { SubjectActions, useForgetting } from './subject-actions.tsx'
import { fullness, subjectWords } from './subject-words.ts'
import type { ChosenTarget } from './target-fields.tsx'
import type { RuleSetItem, Stats } from './types.ts'

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
  const nearestKeys = rowKeys(stats.nearest)
  const refusedKeys = rowKeys(stats.mostRefused)
  return (
    <section aria-labelledby="subjects" className="mt-10">
      <h2 id="subjects" className="mb-3 text-lg font-semibold">
        Subjects
      </h2>
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <Ranking title="Nearest to a limit" when="in the last minute" empty="Nobody has used half of a limit.">
          {stats.nearest.map((near, index) => (
            <Rank key={nearestKeys[index]} standing={near} actions={actions(near)}>
              <span className="flex items-center gap-3">
                <Bar part={fullness(near)} />
                <span className="shrink-0">
                  {amount(near.used, near)} of {amount(near.limit, near)}
                </span>
              </span>
            </Rank>
          ))}
        </Ranking>
        <Ranking title="Most refused" when="in the last hour" empty="Nobody has been refused.">
          {stats.mostRefused.map((most, index) => (
            <Rank key={refusedKeys[index]} standing={most} actions={actions(most)}>
              {formatCount(most.refused)} refused, last <Moment iso={new Date(most.lastAt).toISOString()} time />
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
