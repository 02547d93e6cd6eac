'use client'

import { useId } from 'react'

interface Props<T extends string> {
  label: string
  value: T
  options: readonly { value: T; label: string }[]
  onChange: (value: T) => void
  isDisabled?: boolean
}

/** A choice among a few short words, side by side as far as there is room. */
export function Segments<T extends string>({ label, value, options, onChange, isDisabled = false }: Props<T>) {
  const name = useId()
  return (
    <div
      role="radiogroup"
      aria-label={label}
      className="inline-flex w-fit max-w-full flex-wrap rounded-md bg-sunken p-0.5 ring-1 ring-line ring-inset"
    >
      {options.map((option) => (
        <label
          key={option.value}
          className="relative flex h-8 cursor-pointer items-center rounded-[5px] px-3 text-sm font-medium whitespace-nowrap text-ink-soft hover:text-ink has-checked:bg-raised has-checked:text-ink has-checked:shadow-xs has-focus-visible:outline-2 has-focus-visible:outline-water has-disabled:opacity-45"
        >
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            disabled={isDisabled}
            onChange={() => onChange(option.value)}
            className="absolute inset-0 cursor-pointer appearance-none outline-none"
          />
          {option.label}
        </label>
      ))}
    </div>
  )
}
