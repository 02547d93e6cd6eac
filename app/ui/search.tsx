'use client'

import { Search as Glass, X } from 'lucide-react'
import { Input, SearchField } from 'react-aria-components'
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
  return (
    <SearchField
      aria-label={label}
      value={value}
      onChange={onChange}
      data-search
      className={`group relative ${className}`}
    >
      <Glass size={17} className="pointer-events-none absolute top-1/2 left-3 -translate-y-1/2 text-ink-soft" />
      <Input placeholder={placeholder} className={`${inputClass} px-9.5 [&::-webkit-search-cancel-button]:hidden`} />
      <IconButton
        tone="bare"
        label={t('clearSearch')}
        className="absolute inset-y-0 right-0 grid w-10 place-items-center text-ink-soft group-empty:hidden"
      >
        <X size={16} />
      </IconButton>
    </SearchField>
  )
}
