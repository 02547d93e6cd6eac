'use client'

import { Radio, RadioGroup } from 'react-aria-components'

interface Props<T extends string> {
  label: string
  value: T
  options: readonly { value: T; label: string }[]
  onChange: (value: T) => void
  isDisabled?: boolean
}

/** A choice among a few short words, side by side. */
export function Segments<T extends string>({ label, value, options, onChange, isDisabled = false }: Props<T>) {
  const choose = (chosen: string) => {
    const option = options.find((candidate) => candidate.value === chosen)
    if (option) onChange(option.value)
  }
  return (
    <RadioGroup
      aria-label={label}
      value={value}
      onChange={choose}
      isDisabled={isDisabled}
      orientation="horizontal"
      className="inline-flex w-fit rounded-md bg-sunken p-0.5 ring-1 ring-line ring-inset"
    >
      {options.map((option) => (
        <Radio
          key={option.value}
          value={option.value}
          className="flex h-8 cursor-pointer items-center rounded-[5px] px-3 text-sm font-medium whitespace-nowrap text-ink-soft hover:text-ink selected:bg-raised selected:text-ink selected:shadow-xs disabled:opacity-45"
        >
          {option.label}
        </Radio>
      ))}
    </RadioGroup>
  )
}
