'use client'

import { Group, Input, NumberField } from 'react-aria-components'
import { FieldLabel, FieldNotes, inputClass } from '#app/ui/field.tsx'

interface Props {
  label: string
  /** NaN for an empty field. It is known once the field is left: no button may wait for it, or a first click is lost. */
  value: number
  onChange: (value: number) => void
  error?: string | null
  autoFocus?: boolean
}

/** A number from 0 up, with decimals. */
export function DecimalField({ label, value, onChange, error = null, autoFocus = false }: Props) {
  return (
    <NumberField
      value={value}
      onChange={onChange}
      minValue={0}
      isInvalid={error !== null}
      validationBehavior="aria"
      autoFocus={autoFocus}
      formatOptions={{ maximumFractionDigits: 9 }}
      className="flex min-w-0 flex-col gap-1.5"
    >
      <FieldLabel>{label}</FieldLabel>
      <Group>
        <Input className={`${inputClass} figures`} />
      </Group>
      <FieldNotes error={error} />
    </NumberField>
  )
}
