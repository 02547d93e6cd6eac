'use client'

import { FlaskConical, Pencil } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { useTranslations } from 'use-intl/react'
import { Button } from '#app/ui/button.tsx'
import { useFormat } from '#app/ui/use-format.ts'
import { AddedLine, OverrideLine, TrialLine } from '../changes/entries.tsx'
import { useConsole } from '../console.tsx'
import { figureTexts, NO_FIGURES, type SetFigures } from '../live/figures.ts'
import { everyoneChosen, overrideForAll, rulesForAll, termsUnder } from '../places.ts'
import { placeKey } from '../terms-text.ts'
import type { RuleSetItem } from '../types.ts'
import { TermsTable } from './terms-table.tsx'

interface Props {
  set: RuleSetItem
  figures: SetFigures
}

/** Everything about a rule set, with what was changed of it at run time. */
export default function RuleSetDetail({ set, figures }: Props) {
  const t = useTranslations('adminLimits')
  const tAdded = useTranslations('adminAdded')
  const { added } = useConsole().list
  const item = added.find(({ name, problem }) => name === set.name && !problem)
  return (
    <div className="flex flex-col gap-5 border-t border-line bg-ground px-3 py-4 sm:px-4 md:pl-12">
      {item && (
        <Part title={tAdded('title')}>
          <AddedLine item={item} shadowed={figures.shadowedInAll} />
        </Part>
      )}
      <Part title={t('effectiveTitle')}>
        <InEffect set={set} isAdded={item !== undefined} />
      </Part>
      <Changes set={set} />
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

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h4 className="mb-1.5 text-sm font-semibold">{title}</h4>
      {children}
    </section>
  )
}

/** The terms in effect for everyone, beside the declared ones. */
function InEffect({ set, isAdded }: { set: RuleSetItem; isAdded: boolean }) {
  const t = useTranslations('adminLimits')
  const format = useFormat()
  const general = overrideForAll(set)
  const { declared, unit, count, scope } = set
  const sentences = [
    ...(general ? [t('isOverridden')] : isAdded ? [] : [t('asDeclared')]),
    t(`counts.${unit}`),
    ...(count === 'failures' ? [t('countsFailures')] : []),
    ...(scope === 'instance' ? [t('perProcess')] : []),
  ]
  return (
    <>
      <p className="text-sm text-ink-soft">{format.sentences(sentences)}</p>
      <TermsTable declared={declared} effective={termsUnder(declared, general)} heading={t('inEffect')} />
    </>
  )
}

/** The overrides of the set and the rules in trial, with buttons for more. */
function Changes({ set }: { set: RuleSetItem }) {
  const t = useTranslations('adminLimits')
  const tOverrides = useTranslations('adminOverrides')
  const { mayChange, open } = useConsole()
  const button = useRef<HTMLButtonElement>(null)
  const edit = (kind = set.targets[0] ?? 'all', target = { ...everyoneChosen, kind }) =>
    open({ kind: 'override', set, target })
  const line = (override: RuleSetItem['overrides'][number]) => {
    return { set, override, onClear: () => button.current?.focus() }
  }
  return (
    <>
      <Part title={t('overrides')}>
        {set.overrides.length === 0 && <p className="text-sm text-ink-soft">{t('overridesNone')}</p>}
        <ul className="flex flex-col gap-2 empty:hidden">
          {set.overrides.map((override) => (
            <OverrideLine key={placeKey(override)} {...line(override)} />
          ))}
        </ul>
        {mayChange && (
          <div className="mt-3 flex flex-wrap gap-2">
            <Button ref={button} size="small" onPress={() => edit()}>
              <Pencil size={15} /> {tOverrides('override')}
            </Button>
            {!set.trial && (
              <Button size="small" onPress={() => edit('trial')}>
                <FlaskConical size={15} /> {tOverrides('trial.try')}
              </Button>
            )}
          </div>
        )}
      </Part>
      {set.trial && (
        <Part title={tOverrides('trial.part')}>
          <TrialLine {...line(set.trial)} />
        </Part>
      )}
    </>
  )
}

/** The figures of the last minute for each rule that is in effect for anyone, or was. Rules of the same policy share them. */
function LastMinute({ set, figures }: Props) {
  const t = useTranslations('adminLimits')
  const format = useFormat()
  const rules = [...rulesForAll(set), ...set.overrides.flatMap((override) => override.rules ?? [])]
  const policies = new Set([...rules.map(({ policy }) => policy), ...figures.byPolicy.keys()])
  const describe = (policy: string) => {
    const texts = new Set(rules.filter((rule) => rule.policy === policy).map(({ parts }) => format.rule(parts)))
    return texts.size > 0 ? format.clauses([...texts]) : t(`otherRule.${otherRule(policy)}`)
  }
  return (
    <ul className="figures flex flex-col gap-1 text-sm">
      {[...policies].map((policy) => (
        <li key={policy} className="grid gap-x-4 sm:grid-cols-[11rem_minmax(0,1fr)_max-content]">
          <span className="font-medium break-all">{policy}</span>
          <span>{describe(policy)}</span>
          <span className="text-ink-soft">
            {figureTexts(t, figures.byPolicy.get(policy) ?? NO_FIGURES).join(' · ')}
          </span>
        </li>
      ))}
    </ul>
  )
}

/** What a rule is that is not among those of the set: one that is compiled along with it, or that has ended. */
function otherRule(policy: string): 'total' | 'network' | 'ended' {
  const [, companion] = /-(total|network)-[^-]+$/.exec(policy) ?? []
  return companion === 'total' || companion === 'network' ? companion : 'ended'
}
