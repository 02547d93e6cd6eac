'use client'

import { Search as Glass, X } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import { useTranslations } from 'use-intl/react'
import { IconButton } from './icon-button.tsx'
import { inputClass } from './input-class.ts'

interface Props {
  /** For screen readers; sighted users read `placeholder`. */
  label: string
  placeholder: string
  value: string
  onChange: (value: string) => void
  className?: string
}

/** A search field for the list below it. `/` focuses it. */
export function Search({ label, placeholder, value, onChange, className = '' }: Props) {
  const t = useTranslations('ui')
  const clearByEscape = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || value === '') return
    event.preventDefault()
    onChange('')
  }
  return (
    <div data-search className={`relative ${className}`}>
      <Glass size={17} className="pointer-events-none absolute top-1/2 left-3 -translate-y-1/2 text-ink-soft" />
      <input
        type="search"
        aria-label={label}
        placeholder={placeholder}
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
    </div>
  )
}
