'use client'

import { ChevronDown, Languages } from 'lucide-react'
import { usePathname } from 'next/navigation'
import { useLocale, useTranslations } from 'use-intl/react'
import { languageName, locales, toLocale } from '#format/locale.ts'
import { keepsLocale, useBrowserLocale } from './locale-choice.ts'
import { useSession } from './session.tsx'

interface Props {
  className?: string
  /** On the narrowest screens without its name. */
  isCompact?: boolean
}

/** The language of this browser, each written in itself: a list, or without script a button for each. Users of their own account
 *  find it there. */
export function LanguageMenu({ className = '', isCompact = false }: Props) {
  const t = useTranslations('shell')
  const locale = useLocale()
  const { shown, choose } = useBrowserLocale()
  const path = usePathname()
  if (keepsLocale(useSession().account)) return null
  return (
    <div className={`text-sm text-ink-soft ${className}`}>
      <span className="relative inline-flex items-center hover:text-ink noscript:hidden">
        <Languages size={16} aria-hidden="true" className="pointer-events-none absolute left-2" />
        <select
          aria-label={t('language')}
          value={shown}
          onChange={(event) => choose(toLocale(event.target.value))}
          className={`h-9 cursor-pointer appearance-none rounded-md bg-transparent pr-7 pl-7.5 hover:bg-hover ${isCompact ? 'max-[26rem]:w-8 max-[26rem]:pr-0 max-[26rem]:text-transparent' : ''}`}
        >
          {locales.map((each) => (
            <option key={each} value={each} lang={each} className="bg-raised text-ink">
              {languageName(each)}
            </option>
          ))}
        </select>
        <ChevronDown
          size={14}
          aria-hidden="true"
          className={`pointer-events-none absolute right-2 ${isCompact ? 'max-[26rem]:hidden' : ''}`}
        />
      </span>
      <form
        method="post"
        action="/api/auth/language"
        aria-label={t('language')}
        className="hidden flex-wrap gap-x-3 noscript:flex"
      >
        <input type="hidden" name="next" value={path} />
        {locales
          .filter((each) => each !== locale)
          .map((each) => (
            <button
              key={each}
              type="submit"
              name="locale"
              value={each}
              lang={each}
              className="min-h-9 underline underline-offset-4"
            >
              {languageName(each)}
            </button>
          ))}
      </form>
    </div>
  )
}
