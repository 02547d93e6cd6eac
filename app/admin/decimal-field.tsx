'use client'

import { useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { Field } from '#app/ui/field.tsx'
import { useFormat } from '#app/ui/use-format.ts'
import { decimalProblem, parseDecimal, spellDecimal } from './decimal.ts'

interface Props {
  label: string
  /** The initial value. */
  value: number
  /** Called at each keystroke; NaN while the text is not a number from 0 to `max`. */
  onChange: (value: number) => void
  max: number
  /** Whether the user has tried to save: then problems show while the field has focus, also that it is empty. */
  isChecked: boolean
  autoFocus?: boolean
}

/** A field for a number from 0 to `max`, with decimals. */
export function DecimalField({ label, value, onChange, max, isChecked, autoFocus = false }: Props) {
  const t = useTranslations('admin')
  const format = useFormat()
  const [text, setText] = useState(() => spellDecimal(value))
  const [isLeft, setLeft] = useState(false)
  const problem = decimalProblem(text, max)
  const isShown = isChecked || isLeft
  const change = (typed: string) => {
    setText(typed)
    setLeft(false)
    onChange(decimalProblem(typed, max) === null ? parseDecimal(typed) : Number.NaN)
  }
  const errors = {
    numberInvalid: () => t('numberInvalid'),
    numberTooLarge: () => t('numberTooLarge', { max: format.count(max) }),
  }
  const missing = isChecked && text.trim() === '' ? t('numberMissing') : null
  return (
    <Field
      label={label}
      value={text}
      onChange={change}
      onBlur={() => setLeft(true)}
      error={isShown && problem ? errors[problem]() : missing}
      inputMode="decimal"
      isVerbatim
      autoFocus={autoFocus}
    />
  )
}
