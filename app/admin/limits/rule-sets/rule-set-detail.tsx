'use client'

import { Pencil } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { Button } from '#app/ui/button.tsx'
import { figureWords, NO_FIGURES, type SetFigures } from '../live/figures.ts'
import { overrideForAll, termsUnder } from '../overrides/in-force.ts'
import { OverrideLine } from '../overrides/override-line.tsx'
import type { OverrideTarget, RuleSetItem } from '../types.ts'
import { compareTerms, targetKey } from '../words.ts'
import { TermsTable } from './terms-table.tsx'

interface Props {
  set: RuleSetItem
  figures: SetFigures
  onEdit: ((target?: OverrideTarget) => void) | null
}

/** All there is to know of a rule set, and where it is changed. */
export function RuleSetDetail({ set, figures, onEdit }: Props) {
  const general = overrideForAll(set)
  const overrideButton = useRef<HTMLButtonElement>(null)
  return (
    <div className="flex flex-col gap-5 border-t border-line bg-ground px-3 py-4 sm:px-4 md:pl-12">
      <Part title="What holds for everybody">
        <p className="text-sm text-ink-soft">
          {general ? 'Not what the code declares.' : 'As the code declares it.'} {otherTerms(set)}
        </p>
        <TermsTable comparisons={compareTerms(set.declared, termsUnder(set.declared, general))} heading="Now" />
      </Part>
      <Part title="Overrides">
        {set.overrides.length === 0 && <p className="text-sm text-ink-soft">None: what the code declares holds.</p>}
        <ul className="flex flex-col gap-2 empty:hidden">
          {set.overrides.map((override) => (
            <OverrideLine
              key={targetKey(override.target)}
              set={set}
              override={override}
              onEdit={onEdit}
              onClear={() => overrideButton.current?.focus()}
            />
          ))}
        </ul>
        {onEdit && (
          <Button ref={overrideButton} size="small" className="mt-3" onPress={() => onEdit()}>
            <Pencil size={15} /> Override
          </Button>
        )}
      </Part>
      <Part title="The last minute, rule by rule">
        <ul className="figures flex flex-col gap-1 text-sm">
          {policiesOf(set, figures).map(({ policy, words }) => (
            <li key={policy} className="grid gap-x-4 sm:grid-cols-[11rem_minmax(0,1fr)_max-content]">
              <span className="font-medium break-all">{policy}</span>
              <span>{words}</span>
              <span className="text-ink-soft">
                {figureWords(figures.byPolicy.get(policy) ?? NO_FIGURES).join(' · ')}
              </span>
            </li>
          ))}
        </ul>
      </Part>
      <Part title="Used by">
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

function otherTerms({ unit, count, scope }: RuleSetItem): string {
  return [
    unit === 'bytes' ? 'It counts bytes.' : 'It counts calls.',
    ...(count === 'failures' ? ['Calls that succeed are free.'] : []),
    ...(scope === 'instance' ? ['Each process counts by itself.'] : []),
  ].join(' ')
}

/** Every rule of whatever holds for somebody, or held within the last minute. Rules of one policy share its figures. */
function policiesOf(set: RuleSetItem, { byPolicy }: SetFigures) {
  const general = overrideForAll(set)?.rules ?? set.rules
  const rules = [...general, ...set.overrides.flatMap((override) => override.rules ?? [])]
  const policies = new Set([...rules.map(({ policy }) => policy), ...byPolicy.keys()])
  return [...policies].map((policy) => ({ policy, words: wordsOf(policy, rules) }))
}

function wordsOf(policy: string, rules: RuleSetItem['rules']): string {
  const words = new Set(rules.filter((rule) => rule.policy === policy).map((rule) => rule.words))
  return words.size > 0 ? [...words].join('; ') : 'held before'
}
