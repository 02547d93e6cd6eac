'use client'

import { SlidersHorizontal, X } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { Field } from '#app/ui/field.tsx'
import { IconButton } from '#app/ui/icon-button.tsx'
import { Select } from '#app/ui/select.tsx'
import type { Unit } from '#server/limits/rule-set.ts'
import type { Algorithm } from '#server/limits/rules/compiled.ts'
import {
  algorithms,
  alignedWith,
  aligns,
  hasTimeZone,
  oldests,
  type RuleDraft,
  type RuleProblems,
} from './rule-draft.ts'

interface EditedRule {
  rule: RuleDraft
  problems: RuleProblems
  onChange: (part: Partial<RuleDraft>) => void
}

interface Props extends EditedRule {
  number: number
  unit: Unit
  /** Null for the only rule: a rule set has at least one. */
  onRemove: (() => void) | null
}

/** One rule: limit, window and algorithm; a button shows the options of the algorithm. */
export function RuleFields({ number, unit, onRemove, ...edited }: Props) {
  const t = useTranslations('adminOverrides')
  const { rule, problems, onChange } = edited
  const [isOpen, setOpen] = useState(hasOptions(rule))
  const isBytes = unit === 'bytes'
  const isConcurrency = rule.algorithm === 'concurrency'
  const isShown = isOpen || Boolean(problems.blockFor || problems.samples || problems.capacity)
  const [limit, window] = isConcurrency ? (['concurrent', 'lease'] as const) : (['limit', 'window'] as const)
  const example = isBytes ? t('sizeExample') : '100'
  return (
    <fieldset className="flex flex-col gap-3 rounded-md border border-line px-3 pt-2 pb-3">
      <legend className="sr-only">{t('rule', { number })}</legend>
      <div className="grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto] items-start gap-3 md:grid-cols-[7rem_6rem_minmax(0,1fr)_auto]">
        <Text
          {...edited}
          name="limit"
          label={t(limit)}
          placeholder={example}
          inputMode={isBytes ? 'text' : 'numeric'}
        />
        <Text {...edited} name="window" label={t(window)} placeholder={isConcurrency ? '30s' : '1m'} />
        <div className="max-md:col-span-3 max-md:row-start-2">
          <AlgorithmField value={rule.algorithm} onChange={(algorithm) => onChange({ algorithm })} />
        </div>
        <div className="mt-[1.6875rem] flex gap-1 max-md:col-start-3 max-md:row-start-1">
          {!isConcurrency && (
            <IconButton
              size="icon"
              label={t('ruleOptions', { number })}
              aria-expanded={isShown}
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
      {isShown && !isConcurrency && <Options {...edited} />}
    </fieldset>
  )
}

const hasOptions = ({ blockFor, align, samples, oldest, capacity }: RuleDraft): boolean =>
  Boolean(blockFor || align || samples || capacity) || oldest === 'whole'

function AlgorithmField({ value, onChange }: { value: Algorithm; onChange: (algorithm: Algorithm) => void }) {
  const t = useTranslations('adminOverrides')
  const label = (algorithm: Algorithm) => t('algorithmNamed', { name: t(`algorithms.${algorithm}`), algorithm })
  const options = algorithms.map((each) => ({ value: each, label: label(each) }))
  return <Select<Algorithm> label={t('algorithm')} value={value} options={options} onChange={onChange} />
}

/** The options of a rule beside its limit and window. */
function Options(edited: EditedRule) {
  const t = useTranslations('adminOverrides')
  const { rule } = edited
  const { algorithm } = rule
  const capacity = algorithm === 'token-bucket' ? 'burst' : algorithm === 'leaky-bucket' ? 'capacity' : null
  return (
    <div className="grid grid-cols-2 items-start gap-3 max-sm:*:first:col-span-2 sm:grid-cols-3">
      {algorithm === 'fixed-window' && <Alignment {...edited} />}
      {algorithm === 'sliding-window-counter' && <Samples {...edited} />}
      {capacity && <Text {...edited} name="capacity" label={t(capacity)} placeholder={rule.limit || '100'} />}
      <Text {...edited} name="blockFor" label={t('blockFor')} placeholder={t('none')} />
    </div>
  )
}

function Alignment(edited: EditedRule) {
  const t = useTranslations('adminOverrides')
  const { rule, onChange } = edited
  return (
    <>
      <Select
        label={t('windowStarts')}
        value={rule.align}
        options={aligns.map((value) => ({ value, label: t(`align.${value || 'call'}`) }))}
        onChange={(align) => onChange(alignedWith(align))}
      />
      {hasTimeZone(rule) && (
        <Text {...edited} name="timeZone" label={t('timeZone')} placeholder={t('timeZoneExample')} />
      )}
    </>
  )
}

function Samples(edited: EditedRule) {
  const t = useTranslations('adminOverrides')
  const { rule, onChange } = edited
  return (
    <>
      <Text {...edited} name="samples" label={t('samples')} placeholder="10" inputMode="numeric" />
      <Select
        label={t('oldest')}
        value={rule.oldest}
        options={oldests.map((value) => ({ value, label: t(`oldests.${value}`) }))}
        onChange={(oldest) => onChange({ oldest })}
      />
    </>
  )
}

interface TextProps extends EditedRule, Pick<ComponentProps<typeof Field>, 'label' | 'placeholder' | 'inputMode'> {
  name: keyof RuleProblems | 'timeZone'
}

/** A text of the rule. */
function Text({ rule, problems, onChange, name, ...field }: TextProps) {
  const t = useTranslations('adminOverrides')
  const problem = name === 'timeZone' ? undefined : problems[name]
  return (
    <Field
      {...field}
      value={rule[name]}
      onChange={(value) => onChange({ [name]: value })}
      error={problem && t(`problem.${problem}`)}
      isVerbatim
    />
  )
}
