'use client'

import { Pencil, X } from 'lucide-react'
import { Button } from '#app/ui/button.tsx'
import { Moment } from '#app/ui/moment.tsx'
import { Tag } from '#app/ui/tag.tsx'
import type { OverrideItem, OverrideTarget, RuleSetItem } from '../types.ts'
import { targetWords, termsWords } from '../words.ts'
import { useOverrideActions } from './use-override-actions.ts'

interface Props {
  set: RuleSetItem
  override: OverrideItem
  onEdit: ((target: OverrideTarget) => void) | null
  /** Called when it begins to be cleared, with the button that has the focus. */
  onClear: () => void
}

/** One override: for whom, what it says, who said so and why. */
export function OverrideLine({ set, override, onEdit, onClear }: Props) {
  const { clear } = useOverrideActions()
  const { target, subjectName, terms, problem, note, changedAt, changedBy } = override
  const whom = targetWords(target, subjectName)
  const place = { ruleSet: set.name, target, subjectName }
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-2 rounded-md border border-line bg-surface px-3 py-2.5 text-sm">
      <div className="min-w-48 flex-1">
        <p className="flex flex-wrap items-center gap-2">
          <span className="font-medium break-all">For {whom}</span>
          {problem && <Tag tone="danger">does not hold</Tag>}
        </p>
        {terms && <p className="figures">{termsWords(terms)}</p>}
        {problem && <p className="text-danger">{problem}</p>}
        {note && <p className="break-words">“{note}”</p>}
        <p className="figures text-ink-soft">
          {changedBy ?? 'Somebody who is gone'}, <Moment iso={changedAt} time />
        </p>
      </div>
      {onEdit && (
        <div className="flex gap-1">
          <Button
            tone="quiet"
            size="small"
            aria-label={`Change the override for ${whom}`}
            onPress={() => onEdit(target)}
          >
            <Pencil size={15} /> Change
          </Button>
          <Button
            tone="quiet"
            size="small"
            aria-label={`Clear the override for ${whom}`}
            onPress={() => {
              onClear()
              void clear(place, override)
            }}
          >
            <X size={15} /> Clear
          </Button>
        </div>
      )}
    </li>
  )
}
