'use client'

import { ChevronDown, Languages } from 'lucide-react'
import { useLocale, useTranslations } from 'use-intl/react'
import { languageName, locales, toLocale } from '#format/locale.ts'
import { keepsLocale, useBrowserLocale } from './locale-choice.ts'
import { useSession } from './session.tsx'

/** The language of this browser, each written in itself. Others find it in their account. */
export function LanguageMenu({ className = '' }: { className?: string }) {
  const t = useTranslations('shell')
  const locale = useLocale()
  const choose = useBrowserLocale()
  if (keepsLocale(useSession().account)) return null
  return (
    <span className={`relative inline-flex items-center text-sm text-ink-soft hover:text-ink ${className}`}>
      <Languages size={16} aria-hidden="true" className="pointer-events-none absolute left-2" />
      <select
        aria-label={t('language')}
        value={locale}
        onChange={(event) => choose(toLocale(event.target.value))}
        className="h-9 cursor-pointer appearance-none rounded-md bg-transparent pr-7 pl-7.5 hover:bg-hover"
      >
        {locales.map((each) => (
          <option key={each} value={each} lang={each} className="bg-raised text-ink">
            {languageName(each)}
          </option>
        ))}
      </select>
      <ChevronDown size={14} aria-hidden="true" className="pointer-events-none absolute right-2" />
    </span>
  )
}
