'use client'

import { Plus } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { Button } from '#app/ui/button.tsx'
import { Field } from '#app/ui/field.tsx'
import { Select } from '#app/ui/select.tsx'
import type { Mode, OnStoreFailure, Unit } from '#server/limits/rule-set.ts'
import { failureWords, modeWords } from '../words.ts'
import { type TermsDraft, waitProblem, withRule } from './override-draft.ts'
import { type RuleDraft, ruleProblems } from './rule-draft.ts'
import { RuleFields } from './rule-fields.tsx'

const modes = (['enforce', 'shadow', 'degrade'] as const satisfies readonly Mode[]).map((value) => ({
  value,
  label: capitalised(modeWords[value]),
}))
const failures = (['local', 'deny', 'allow'] as const satisfies readonly OnStoreFailure[]).map((value) => ({
  value,
  label: capitalised(failureWords[value]),
}))

interface Props {
  draft: TermsDraft
  unit: Unit
  onChange: (draft: TermsDraft) => void
  /** Whether what is missing is told already. */
  isChecked: boolean
  /** What else stands among the fields. */
  children: ReactNode
}

/** The terms of an override, to type. */
export function TermsFields({ draft, unit, onChange, isChecked, children }: Props) {
  const id = useId()
  const setRule = (index: number, rules: readonly RuleDraft[]) =>
    onChange({ ...draft, rules: draft.rules.toSpliced(index, 1, ...rules) })
  return (
    <>
      <section aria-labelledby={`${id}-rules`} className="flex flex-col gap-2">
        <h3 id={`${id}-rules`} className="text-sm font-medium">
          Rules
        </h3>
        {draft.rules.map((rule, index) => (
          <RuleFields
            key={rule.id}
            number={index + 1}
            rule={rule}
            unit={unit}
            problems={isChecked ? ruleProblems(rule, unit) : {}}
            onChange={(changed) => setRule(index, [changed])}
            onRemove={draft.rules.length > 1 ? () => setRule(index, []) : null}
          />
        ))}
        <Button size="small" className="self-start" onPress={() => onChange(withRule(draft))}>
          <Plus size={15} /> Add a rule
        </Button>
      </section>
      <div className="grid gap-4 sm:grid-cols-2">
        <Select label="Mode" value={draft.mode} options={modes} onChange={(mode) => onChange({ ...draft, mode })} />
        <Select
          label="While the store fails"
          value={draft.onStoreFailure}
          options={failures}
          onChange={(onStoreFailure) => onChange({ ...draft, onStoreFailure })}
        />
        <Field
          label="Wait for a permit"
          hint="How long at most, such as 5s, before a call is refused."
          placeholder="none"
          value={draft.wait}
          onChange={(wait) => onChange({ ...draft, wait })}
          error={isChecked ? waitProblem(draft.wait) : null}
          isVerbatim
        />
        {children}
      </div>
    </>
  )
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
