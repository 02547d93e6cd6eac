'use client'

import { useTranslations } from 'use-intl/react'
import { Field } from '#app/ui/field.tsx'
import { Select } from '#app/ui/select.tsx'
import { alignedWith, aligns, hasTimeZone, oldests, type RuleDraft, type RuleProblems } from './rule-draft.ts'

interface Props {
  rule: RuleDraft
  problems: RuleProblems
  onChange: (part: Partial<RuleDraft>) => void
}

/** The options of a rule beside its limit and window. */
export function RuleOptions({ rule, problems, onChange }: Props) {
  const t = useTranslations('adminOverrides')
  const { algorithm } = rule
  const isTokenBucket = algorithm === 'token-bucket'
  const isBucket = isTokenBucket || algorithm === 'leaky-bucket'
  return (
    <div className="grid grid-cols-2 items-start gap-3 max-sm:*:first:col-span-2 sm:grid-cols-3">
      {algorithm === 'fixed-window' && (
        <>
          <Select
            label={t('windowStarts')}
            value={rule.align}
            options={aligns.map((value) => ({ value, label: t(`align.${value || 'call'}`) }))}
            onChange={(align) => onChange(alignedWith(align))}
          />
          {hasTimeZone(rule) && (
            <Field
              label={t('timeZone')}
              placeholder={t('timeZoneExample')}
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
            label={t('samples')}
            placeholder="10"
            value={rule.samples}
            onChange={(samples) => onChange({ samples })}
            error={problems.samples && t(`problem.${problems.samples}`)}
            inputMode="numeric"
          />
          <Select
            label={t('oldest')}
            value={rule.oldest}
            options={oldests.map((value) => ({ value, label: t(`oldests.${value}`) }))}
            onChange={(oldest) => onChange({ oldest })}
          />
        </>
      )}
      {isBucket && (
        <Field
          label={isTokenBucket ? t('burst') : t('capacity')}
          placeholder={rule.limit || '100'}
          value={rule.capacity}
          onChange={(capacity) => onChange({ capacity })}
          error={problems.capacity && t(`problem.${problems.capacity}`)}
          isVerbatim
        />
      )}
      <Field
        label={t('blockFor')}
        placeholder={t('none')}
        value={rule.blockFor}
        onChange={(blockFor) => onChange({ blockFor })}
        error={problems.blockFor && t(`problem.${problems.blockFor}`)}
        isVerbatim
      />
    </div>
  )
}
