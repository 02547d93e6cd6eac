'use client'

import { ChevronRight } from 'lucide-react'
import { useId } from 'react'
import { Button } from 'react-aria-components'
import { formatCount } from '#app/ui/format.ts'
import { figureWords, type SetFigures } from './figures.ts'
import { rulesInForce } from './in-force.ts'
import { RuleSetDetail } from './rule-set-detail.tsx'
import { Tag } from './tag.tsx'
import type { OverrideTarget, RuleSetItem } from './types.ts'

interface Props {
  set: RuleSetItem
  figures: SetFigures
  isOpen: boolean
  onToggle: () => void
  onEdit: ((target?: OverrideTarget) => void) | null
}

/** One rule set: whom it counts, what it allows, and what it did within the last minute. Opens to all the rest. */
export function RuleSetRow({ set, figures, isOpen, onToggle, onEdit }: Props) {
  const id = useId()
  const { rules, mode } = rulesInForce(set)
  const [, ...rare] = figureWords({ ...figures.total, refused: 0 })
  return (
    <li id={`set-${set.name}`} className="scroll-mt-20 scroll-mb-24">
      <div className="relative grid grid-cols-[1.25rem_minmax(0,1fr)] items-center gap-x-3 px-3 py-2.5 first:rounded-t-lg hover:bg-hover/50 sm:px-4 md:grid-cols-[1.25rem_minmax(0,1fr)_6.5rem_6.5rem]">
        <ChevronRight
          size={17}
          aria-hidden="true"
          className={`text-ink-soft transition-transform ${isOpen ? 'rotate-90' : ''}`}
        />
        <div className="min-w-0">
          <h3 className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <Button
              aria-expanded={isOpen}
              {...(isOpen && { 'aria-controls': `${id}-detail` })}
              aria-describedby={`${id}-words`}
              onPress={onToggle}
              className="rounded-sm text-left font-medium break-all after:absolute after:inset-0"
            >
              {set.name}
            </Button>
            {set.overrides.length > 0 && <Tag tone="water">overridden</Tag>}
            {set.overrides.some(({ problem }) => problem) && <Tag tone="danger">does not hold</Tag>}
            {mode !== 'enforce' && <Tag tone="gate">{mode}</Tag>}
          </h3>
          <p id={`${id}-words`} className="text-sm text-ink-soft">
            {set.by}: <span className="figures text-ink">{rules.map(({ words }) => words).join(', ')}</span>
          </p>
          {rare.length > 0 && <p className="figures text-sm text-gate max-md:hidden">{rare.join(' · ')}</p>}
        </div>
        <p className="figures col-start-2 text-sm text-ink-soft md:hidden">{figureWords(figures.total).join(' · ')}</p>
        <Amount amount={figures.total.passed} word="passed" />
        <Amount amount={figures.total.refused} word="refused" tone="text-gate" />
      </div>
      {isOpen && (
        <div id={`${id}-detail`}>
          <RuleSetDetail set={set} figures={figures} onEdit={onEdit} />
        </div>
      )}
    </li>
  )
}

function Amount({ amount, word, tone = 'text-ink' }: { amount: number; word: string; tone?: string }) {
  return (
    <p className={`figures hidden text-right text-sm md:block ${amount > 0 ? '' : 'opacity-60'}`}>
      <span className={`font-medium ${amount > 0 ? tone : 'text-ink-soft'}`}>{formatCount(amount)}</span>{' '}
      <span className="text-ink-soft">{word}</span>
    </p>
  )
}
