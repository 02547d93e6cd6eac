'use client'

import { Minus, Plus } from 'lucide-react'
import { Group, Input, NumberField } from 'react-aria-components'
import { FieldLabel } from '#app/ui/aria-field.tsx'
import { AriaIconButton } from '#app/ui/aria-icon-button.tsx'

interface Props {
  label: string
  /** The labels of its buttons. */
  fewer: string
  more: string
  value: number
  onChange: (value: number) => void
  max: number
}

/** A field for a whole number from 1 to `max`. */
export function AmountField({ label, fewer, more, value, onChange, max }: Props) {
  return (
    <NumberField
      decrementAriaLabel={fewer}
      incrementAriaLabel={more}
      value={value}
      onChange={(amount) => onChange(Number.isNaN(amount) ? 1 : amount)}
      minValue={1}
      maxValue={max}
      className="flex min-w-0 flex-col gap-1.5"
    >
      <FieldLabel>{label}</FieldLabel>
      <Group className="flex h-10 overflow-hidden rounded-md border border-line-strong bg-surface focus-within:outline-2 focus-within:-outline-offset-1 focus-within:outline-water">
        <AriaIconButton
          slot="decrement"
          tone="bare"
          label={fewer}
          className="grid w-10 shrink-0 place-items-center text-ink-soft hover:bg-hover disabled:opacity-40"
        >
          <Minus size={16} />
        </AriaIconButton>
        <Input className="figures w-full min-w-0 bg-transparent text-center outline-none" />
        <AriaIconButton
          slot="increment"
          tone="bare"
          label={more}
          className="grid w-10 shrink-0 place-items-center text-ink-soft hover:bg-hover disabled:opacity-40"
        >
          <Plus size={16} />
        </AriaIconButton>
      </Group>
    </NumberField>
  )
}
