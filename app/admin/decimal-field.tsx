'use client'

import { useState } from 'react'
import { Field } from '#app/ui/field.tsx'
import { decimalProblem, parseDecimal, spellDecimal } from './decimal.ts'

interface Props {
  label: string
  /** What is typed is what was given at first, then what is told. */
  value: number
  /** Told of each letter; NaN while what is typed is no number from 0 to `max`. */
  onChange: (value: number) => void
  max: number
  /** Whether it was tried to save: an empty field is then told of, and one that is not left yet. */
  isChecked: boolean
  autoFocus?: boolean
}

/** A number from 0 up, with decimals. */
export function DecimalField({ label, value, onChange, max, isChecked, autoFocus = false }: Props) {
  const [text, setText] = useState(() => spellDecimal(value))
  const [isLeft, setLeft] = useState(false)
  const problem = decimalProblem(text, max)
  const change = (typed: string) => {
    setText(typed)
    setLeft(false)
    onChange(decimalProblem(typed, max) === null ? parseDecimal(typed) : Number.NaN)
  }
  const missing = isChecked && text.trim() === '' ? 'A number from 0.' : null
  return (
    <Field
      label={label}
      value={text}
      onChange={change}
      onBlur={() => setLeft(true)}
      error={(isChecked || isLeft ? problem : null) ?? missing}
      inputMode="decimal"
      isVerbatim
      autoFocus={autoFocus}
    />
  )
}
