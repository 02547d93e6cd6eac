'use client'

import type { ReactNode } from 'react'

interface Props {
  label: ReactNode
  hint?: string
  isChecked: boolean
  isDisabled?: boolean
  onChange: (isChecked: boolean) => void
  className?: string
}

/** A box to check, with what it means beside it. */
export function CheckRow({ label, hint, isChecked, isDisabled = false, onChange, className = '' }: Props) {
  return (
    <label className={`flex cursor-pointer items-start gap-3 text-sm has-disabled:opacity-45 ${className}`}>
      <input
        type="checkbox"
        checked={isChecked}
        disabled={isDisabled}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        className="mt-0.5 size-4 shrink-0 cursor-pointer"
      />
      <span>
        <span className="block font-medium">{label}</span>
        {hint && <span className="block leading-snug text-ink-soft">{hint}</span>}
      </span>
    </label>
  )
}

interface GroupProps<T extends string> {
  label: string
  options: readonly { readonly value: T; readonly label: ReactNode; readonly hint?: string }[]
  chosen: readonly T[]
  isDisabled?: boolean
  error?: string | null
  onChange: (chosen: readonly T[]) => void
}

/** Several boxes under a label. */
export function CheckGroup<T extends string>({ label, options, chosen, isDisabled, error, onChange }: GroupProps<T>) {
  const turn = (value: T, isChecked: boolean) =>
    onChange(
      options.flatMap((each) => ((each.value === value ? isChecked : chosen.includes(each.value)) ? each.value : [])),
    )
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="mb-1.5 text-sm font-medium">{label}</legend>
      <div className="overflow-hidden rounded-md border border-line bg-surface">
        {options.map(({ value, ...option }) => (
          <CheckRow
            key={value}
            {...option}
            isChecked={chosen.includes(value)}
            isDisabled={isDisabled ?? false}
            onChange={(isChecked) => turn(value, isChecked)}
            className="border-line px-3 py-2 not-last:border-b hover:bg-hover"
          />
        ))}
      </div>
      {error && (
        <p role="alert" className="text-sm text-danger">
          {error}
        </p>
      )}
    </fieldset>
  )
}
