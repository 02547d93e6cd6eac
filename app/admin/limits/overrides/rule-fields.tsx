'use client'

import { SlidersHorizontal, X } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { Field } from '#app/ui/field.tsx'
import { IconButton } from '#app/ui/icon-button.tsx'
import { Select } from '#app/ui/select.tsx'
import type { Unit } from '#server/limits/rule-set.ts'
import type { Algorithm } from '#server/limits/rules/compiled.ts'
import { algorithms, type RuleDraft, type RuleProblems } from './rule-draft.ts'
import { RuleOptions } from './rule-options.tsx'

interface Props {
  number: number
  rule: RuleDraft
  unit: Unit
  problems: RuleProblems
  onChange: (rule: RuleDraft) => void
  /** Null for the only rule: a rule set has at least one. */
  onRemove: (() => void) | null
}

/** One rule: limit, window and algorithm; a button shows the options of the algorithm. */
export function RuleFields({ number, rule, unit, problems, onChange, onRemove }: Props) {
  const t = useTranslations('adminOverrides')
  const [isOpen, setOpen] = useState(hasOptions(rule))
  const isBytes = unit === 'bytes'
  const isConcurrency = rule.algorithm === 'concurrency'
  const isShown = isOpen || problems.blockFor || problems.samples || problems.capacity
  const change = (part: Partial<RuleDraft>) => onChange({ ...rule, ...part })
  return (
    <fieldset className="flex flex-col gap-3 rounded-md border border-line px-3 pt-2 pb-3">
      <legend className="sr-only">{t('rule', { number })}</legend>
      <div className="grid grid-cols-2 items-start gap-3 sm:grid-cols-[8rem_7rem_minmax(0,1fr)_auto]">
        <Field
          label={isConcurrency ? t('concurrent') : t('limit')}
          value={rule.limit}
          onChange={(limit) => change({ limit })}
          error={problems.limit && t(`problem.${problems.limit}`)}
          placeholder={isBytes ? t('sizeExample') : '100'}
          inputMode={isBytes ? 'text' : 'numeric'}
          isVerbatim
        />
        <Field
          label={isConcurrency ? t('lease') : t('window')}
          value={rule.window}
          onChange={(window) => change({ window })}
          error={problems.window && t(`problem.${problems.window}`)}
          placeholder={isConcurrency ? '30s' : '1m'}
          isVerbatim
        />
        <div className="col-span-2 flex items-end gap-1 *:first:flex-1 sm:contents">
          <Select<Algorithm>
            label={t('algorithm')}
            value={rule.algorithm}
            options={algorithms.map((value) => ({
              value,
              label: t('algorithmNamed', { name: t(`algorithms.${value}`), algorithm: value }),
            }))}
            onChange={(algorithm) => change({ algorithm })}
          />
          <div className="flex gap-1 sm:mt-[1.6875rem]">
            {!isConcurrency && (
              <IconButton
                size="icon"
                label={t('ruleOptions', { number })}
                aria-expanded={Boolean(isShown)}
                onPress={() => setOpen(!isOpen)}
              >
                <SlidersHorizontal size={17} />
              </IconButton>
            )}
            {onRemove && (
              <IconButton size="icon" label={t('removeRule', { number })} onPress={onRemove}>
                <X size={18} />
              </IconButton>
            )}
          </div>
        </div>
      </div>
      {isShown && !isConcurrency && <RuleOptions rule={rule} problems={problems} onChange={change} />}
    </fieldset>
  )
}

const hasOptions = ({ blockFor, align, samples, oldest, capacity }: RuleDraft): boolean =>
  Boolean(blockFor || align || samples || capacity) || oldest === 'whole'
