'use client'

import { Field } from '#app/ui/field.tsx'
import { Select } from '#app/ui/select.tsx'
import { alignedWith, aligns, hasTimeZone, oldests, type RuleDraft, type RuleProblems } from './rule-draft.ts'

const alignWords = {
  '': 'With the first call',
  window: 'At multiples of it',
  day: 'With the day',
  week: 'With the week',
  month: 'With the month',
} as const satisfies Record<RuleDraft['align'], string>

const oldestWords = { weighted: 'By its part', whole: 'Whole' } as const satisfies Record<RuleDraft['oldest'], string>

const alignOptions = aligns.map((value) => ({ value, label: alignWords[value] }))
const oldestOptions = oldests.map((value) => ({ value, label: oldestWords[value] }))

interface Props {
  rule: RuleDraft
  problems: RuleProblems
  onChange: (part: Partial<RuleDraft>) => void
}

/** What a rule may say beside its limit and window. */
export function RuleOptions({ rule, problems, onChange }: Props) {
  const { algorithm } = rule
  const isBucket = algorithm === 'token-bucket' || algorithm === 'leaky-bucket'
  return (
    <div className="grid grid-cols-2 items-start gap-3 sm:grid-cols-3">
      {algorithm === 'fixed-window' && (
        <>
          <Select
            label="Begins"
            value={rule.align}
            options={alignOptions}
            onChange={(align) => onChange(alignedWith(align))}
          />
          {hasTimeZone(rule) && (
            <Field
              label="Time zone"
              placeholder="UTC"
              value={rule.timeZone}
              onChange={(timeZone) => onChange({ timeZone })}
              isVerbatim
            />
          )}
        </>
      )}
      {algorithm === 'sliding-window-counter' && (
        <>
          <Field
            label="Samples"
            placeholder="10"
            value={rule.samples}
            onChange={(samples) => onChange({ samples })}
            error={problems.samples}
            inputMode="numeric"
          />
          <Select
            label="Oldest sample counts"
            value={rule.oldest}
            options={oldestOptions}
            onChange={(oldest) => onChange({ oldest })}
          />
        </>
      )}
      {isBucket && (
        <Field
          label={algorithm === 'token-bucket' ? 'Burst' : 'Capacity'}
          placeholder={rule.limit || '100'}
          value={rule.capacity}
          onChange={(capacity) => onChange({ capacity })}
          error={problems.capacity}
          isVerbatim
        />
      )}
      <Field
        label="Then none for"
        placeholder="no longer"
        value={rule.blockFor}
        onChange={(blockFor) => onChange({ blockFor })}
        error={problems.blockFor}
        isVerbatim
      />
    </div>
  )
}
