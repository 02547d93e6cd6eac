'use client'

import { Search as Glass, X } from 'lucide-react'
import { type KeyboardEvent, useId } from 'react'
import { useTranslations } from 'use-intl/react'
import { IconButton } from './icon-button.tsx'
import { inputClass } from './input-class.ts'

interface Props {
  /** For screen readers; sighted users read `placeholder`. */
  label: string
  placeholder: string
  value: string
  onChange: (value: string) => void
  /** What it searches: shown below it while it is focused and empty. */
  hint?: string
  /** For the first field of a dialog. */
  startsFocused?: boolean
  className?: string
}

/** A search field for the list below it. `/` focuses it. */
export function Search({ label, placeholder, value, onChange, hint, startsFocused = false, className = '' }: Props) {
  const t = useTranslations('ui')
  const note = useId()
  const clearByEscape = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || value === '') return
    event.preventDefault()
    onChange('')
  }
  return (
    <div data-search className={`group/search relative ${className}`}>
      <Glass size={17} className="pointer-events-none absolute top-1/2 left-3 -translate-y-1/2 text-ink-soft" />
      <input
        type="search"
        aria-label={label}
        aria-describedby={hint && note}
        placeholder={placeholder}
        ref={startsFocused ? focus : null}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        onKeyDown={clearByEscape}
        className={`${inputClass} px-9.5 [&::-webkit-search-cancel-button]:hidden`}
      />
      {value !== '' && (
        <IconButton
          tone="bare"
          label={t('clearSearch')}
          onPress={() => onChange('')}
          className="absolute inset-y-0 right-0 grid w-10 place-items-center text-ink-soft"
        >
          <X size={16} />
        </IconButton>
      )}
      {hint && (
        <p
          id={note}
          className={`pointer-events-none absolute inset-x-0 top-full z-20 mt-1 rounded-md border border-line bg-raised px-3 py-2 text-sm text-ink-soft shadow-raised ${value === '' ? 'not-group-focus-within/search:sr-only' : 'sr-only'}`}
        >
          {hint}
        </p>
      )}
    </div>
  )
}

const focus = (input: HTMLInputElement | null): void => input?.focus()
