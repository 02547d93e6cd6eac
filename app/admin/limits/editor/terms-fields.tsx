'use client'

import { Plus } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { useTranslations } from 'use-intl/react'
import { Button } from '#app/ui/button.tsx'
import { Field } from '#app/ui/field.tsx'
import { Select } from '#app/ui/select.tsx'
import type { Mode, OnStoreFailure, Unit } from '#server/limits/rule-set.ts'
import { type RuleDraft, ruleProblems } from './rule-draft.ts'
import { RuleFields } from './rule-fields.tsx'
import {
  isValidWait,
  type Preset,
  parseCharging,
  presetsOf,
  type TermsDraft,
  withPreset,
  withRule,
} from './terms-draft.ts'

const modes = ['enforce', 'shadow', 'degrade'] as const satisfies readonly Mode[]
const counts = ['', 'all', 'failures'] as const
const storeFailures = ['local', 'deny', 'allow'] as const satisfies readonly OnStoreFailure[]

interface Props {
  draft: TermsDraft
  unit: Unit
  /** Whether there is a cheaper answer to degrade to. */
  canDegrade: boolean
  /** What cost and count are without a value. */
  chargingDefault: string
  /** Only shadow mode, for a set that is new. */
  isNew?: boolean
  /** For rules in trial, which are charged as those in force. */
  isOnlyRules?: boolean
  onChange: (draft: TermsDraft) => void
  /** Whether invalid fields are marked. */
  isChecked: boolean
  children: ReactNode
}

/** The fields of the terms of an override. */
export function TermsFields({ isOnlyRules = false, children, ...props }: Props) {
  return (
    <>
      <RuleList {...props} />
      <div className="grid gap-4 md:grid-cols-2">
        {!isOnlyRules && <OtherTerms {...props} />}
        {children}
      </div>
    </>
  )
}

type FieldsProps = Omit<Props, 'isOnlyRules' | 'children'>

function RuleList({ draft, unit, onChange, isChecked }: FieldsProps) {
  const t = useTranslations('adminOverrides')
  const id = useId()
  const setRule = (index: number, rules: readonly RuleDraft[]) =>
    onChange({ ...draft, rules: draft.rules.toSpliced(index, 1, ...rules) })
  return (
    <section aria-labelledby={`${id}-rules`} className="flex flex-col gap-2">
      <h3 id={`${id}-rules`} className="text-sm font-medium">
        {t('rules')}
      </h3>
      {draft.rules.map((rule, index) => (
        <RuleFields
          key={rule.id}
          number={index + 1}
          rule={rule}
          unit={unit}
          problems={isChecked ? ruleProblems(rule, unit) : {}}
          onChange={(part) => setRule(index, [{ ...rule, ...part }])}
          onRemove={draft.rules.length > 1 ? () => setRule(index, []) : null}
        />
      ))}
      <div className="flex flex-wrap items-center gap-2">
        <Button size="small" onPress={() => onChange(withRule(draft))}>
          <Plus size={15} /> {t('addRule')}
        </Button>
        <Select<Preset | ''>
          label={t('presets')}
          isLabelHidden
          value=""
          options={[
            { value: '', label: t('presets') },
            ...presetsOf(unit).map((value) => ({ value, label: t(`preset.${value}`) })),
          ]}
          onChange={(preset) => preset && onChange(withPreset(draft, preset))}
        />
      </div>
    </section>
  )
}

function OtherTerms({ draft, unit, canDegrade, chargingDefault, isNew, onChange, isChecked }: FieldsProps) {
  const t = useTranslations('adminOverrides')
  const tLimits = useTranslations('adminLimits')
  const change = (part: Partial<TermsDraft>) => onChange({ ...draft, ...part })
  const possible = modes.filter((mode) => (isNew ? mode === 'shadow' : canDegrade || mode !== 'degrade'))
  return (
    <>
      <Select
        label={tLimits('term.mode')}
        value={draft.mode}
        options={possible.map((value) => ({ value, label: tLimits(`mode.${value}`) }))}
        onChange={(mode) => change({ mode })}
      />
      <Select
        label={tLimits('term.onStoreFailure')}
        value={draft.onStoreFailure}
        options={storeFailures.map((value) => ({ value, label: tLimits(`storeFailure.${value}`) }))}
        onChange={(onStoreFailure) => change({ onStoreFailure })}
      />
      {!isNew && (
        <Field
          {...{ label: t('wait'), hint: t('waitHint'), placeholder: t('none'), isVerbatim: true }}
          value={draft.wait}
          onChange={(wait) => change({ wait })}
          error={isChecked && !isValidWait(draft.wait) ? t('problem.wait') : null}
        />
      )}
      {unit === 'calls' && (
        <Field
          {...{ label: t('cost'), hint: t('costHint'), placeholder: chargingDefault, isVerbatim: true }}
          inputMode="numeric"
          value={draft.cost}
          onChange={(cost) => change({ cost: cost.trim() })}
          error={isChecked && parseCharging(draft) === null ? t('problem.count') : null}
        />
      )}
      <Select
        label={t('count')}
        value={draft.count}
        options={counts.map((value) => ({ value, label: value === '' ? chargingDefault : t(`counts.${value}`) }))}
        onChange={(count) => change({ count })}
      />
    </>
  )
}
