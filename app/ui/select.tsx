'use client'

import { ChevronDown } from 'lucide-react'
import { useId } from 'react'
import { inputClass } from './input-class.ts'

interface Props<T extends string> {
  label: string
  value: T
  /** `lang` is the language of a label, if it is not the page's. */
  options: readonly { value: T; label: string; lang?: string }[]
  onChange: (value: T) => void
  /** Hides the label except from screen readers, where the context is clear without it. */
  isLabelHidden?: boolean
}

/** A choice among several options, with the system's own list. */
export function Select<T extends string>({ label, value, options, onChange, isLabelHidden = false }: Props<T>) {
  const id = useId()
  const choose = (chosen: string) => {
    const option = options.find((candidate) => candidate.value === chosen)
    if (option) onChange(option.value)
  }
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <label htmlFor={id} className={isLabelHidden ? 'sr-only' : 'text-sm font-medium'}>
        {label}
      </label>
      <div className="relative">
        <select
          id={id}
          value={value}
          onChange={(event) => choose(event.target.value)}
          className={`${inputClass} cursor-pointer appearance-none truncate pr-9`}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value} lang={option.lang} className="bg-raised">
              {option.label}
            </option>
          ))}
        </select>
        <ChevronDown
          size={16}
          aria-hidden="true"
          className="pointer-events-none absolute top-1/2 right-3 -translate-y-1/2 text-ink-soft"
        />
      </div>
    </div>
  )
}
