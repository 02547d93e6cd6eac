'use client'

import { FlaskConical, Pencil } from 'lucide-react'
import dynamic from 'next/dynamic'
import { type ReactNode, useRef } from 'react'
import { useTranslations } from 'use-intl/react'
import { Button } from '#app/ui/button.tsx'
import type { Translate } from '#app/ui/translate.ts'
import { useFormat } from '#app/ui/use-format.ts'
import type { SetFigures } from '../live/figures.ts'
import { OverrideLine } from '../overrides/override-line.tsx'
import { overrideForAll, termsUnder } from '../places.ts'
import { compareTerms, placeKey } from '../terms-text.ts'
import type { AddedSetItem, OverrideItem, Place, RuleSetItem, TrialStats } from '../types.ts'
import { LastMinute } from './last-minute.tsx'
import { TermsTable } from './terms-table.tsx'

const TrialLine = dynamic(() => import('../overrides/trial-line.tsx').then((module) => module.TrialLine))
const AddedLine = dynamic(() => import('../added/added-line.tsx').then((module) => module.AddedLine))

interface Props {
  set: RuleSetItem
  /** What was added at run time; null for a set that the code declares. */
  added: AddedSetItem | null
  onEditAdded: ((item: AddedSetItem) => void) | null
  figures: SetFigures
  /** What its rules in trial would have refused. */
  trial: TrialStats | null
  /** An override, a trial, or without either the override that the set can have. */
  onEdit: ((place?: EditedPlace) => void) | null
}

export type EditedPlace = Place & Partial<Pick<OverrideItem, 'subjectName'>>

/** Everything about a rule set, with its overrides. */
export function RuleSetDetail({ set, added, onEditAdded, figures, trial, onEdit }: Props) {
  const t = useTranslations('adminLimits')
  const tOverrides = useTranslations('adminOverrides')
  const tAdded = useTranslations('adminAdded')
  const format = useFormat()
  const general = overrideForAll(set)
  const overrideButton = useRef<HTMLButtonElement>(null)
  return (
    <div className="flex flex-col gap-5 border-t border-line bg-ground px-3 py-4 sm:px-4 md:pl-12">
      {added && (
        <Part title={tAdded('title')}>
          <AddedLine item={added} onEdit={onEditAdded} shadowed={figures.shadowedInAll} />
        </Part>
      )}
      <Part title={t('effectiveTitle')}>
        <p className="text-sm text-ink-soft">
          {format.sentences([
            ...(general ? [t('isOverridden')] : added ? [] : [t('asDeclared')]),
            ...otherTerms(t, set),
          ])}
        </p>
        <TermsTable
          comparisons={compareTerms(t, format, {
            declared: set.declared,
            effective: termsUnder(set.declared, general),
          })}
          heading={t('inEffect')}
        />
      </Part>
      <Part title={t('overrides')}>
        {set.overrides.length === 0 && <p className="text-sm text-ink-soft">{t('overridesNone')}</p>}
        <ul className="flex flex-col gap-2 empty:hidden">
          {set.overrides.map((override) => (
            <OverrideLine
              key={placeKey(override)}
              set={set}
              override={override}
              onEdit={onEdit}
              onClear={() => overrideButton.current?.focus()}
            />
          ))}
        </ul>
        {onEdit && (
          <div className="mt-3 flex flex-wrap gap-2">
            <Button ref={overrideButton} size="small" onPress={() => onEdit()}>
              <Pencil size={15} /> {tOverrides('override')}
            </Button>
            {!set.trial && (
              <Button size="small" onPress={() => onEdit(TRIAL)}>
                <FlaskConical size={15} /> {tOverrides('trial.try')}
              </Button>
            )}
          </div>
        )}
      </Part>
      {set.trial && (
        <Part title={tOverrides('trial.part')}>
          <TrialLine
            set={set}
            trial={set.trial}
            stats={trial}
            onEdit={onEdit && (() => onEdit(TRIAL))}
            onEnd={() => overrideButton.current?.focus()}
          />
        </Part>
      )}
      <Part title={t('lastMinute')}>
        <LastMinute set={set} figures={figures} />
      </Part>
      <Part title={t('usedBy')}>
        <ul className="flex flex-wrap gap-1.5">
          {set.usedBy.map((user) => (
            <li key={user} className="rounded-sm bg-sunken px-1.5 py-0.5 font-mono text-xs break-all">
              {user}
            </li>
          ))}
        </ul>
      </Part>
    </div>
  )
}

const TRIAL: Place = { target: { kind: 'trial' } }

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h4 className="mb-1.5 text-sm font-semibold">{title}</h4>
      {children}
    </section>
  )
}

function otherTerms(t: Translate<'adminLimits'>, { unit, count, scope }: RuleSetItem): readonly string[] {
  return [
    t(`counts.${unit}`),
    ...(count === 'failures' ? [t('countsFailures')] : []),
    ...(scope === 'instance' ? [t('perProcess')] : []),
  ]
}
