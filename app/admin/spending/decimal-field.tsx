'use client'

import { Group, Input, NumberField } from 'react-aria-components'
import { FieldLabel, inputClass } from '#app/ui/field.tsx'

interface Props {
  label: string
  /** NaN for an empty field. */
  value: number
  onChange: (value: number) => void
  autoFocus?: boolean
}

/** A number from 0 up, with decimals. */
export function DecimalField({ label, value, onChange, autoFocus = false }: Props) {
  return (
    <NumberField
      value={value}
      onChange={onChange}
      minValue={0}
      autoFocus={autoFocus}
      formatOptions={{ maximumFractionDigits: 9 }}
      className="flex min-w-0 flex-col gap-1.5"
    >
      <FieldLabel>{label}</FieldLabel>
      <Group>
        <Input className={`${inputClass} figures`} />
      </Group>
    </NumberField>
  )
}
