'use client'

import { SearchX } from 'lucide-react'
import { useTranslations } from 'use-intl/react'
import { Button } from '#app/ui/button.tsx'
import { useFinding } from './use-finding.ts'

/** In place of a list that nothing matches. */
export default function NothingFound() {
  const { clear } = useFinding()
  const t = useTranslations('finding')
  return (
    <div className="flex min-h-[50vh] flex-col items-center justify-center gap-4 text-center">
      <SearchX size={36} strokeWidth={1.5} className="text-ink-soft" />
      <div>
        <h2 className="text-xl font-semibold">{t('nothing')}</h2>
        <p className="mt-1.5 text-balance text-ink-soft">{t('nothingHint')}</p>
      </div>
      <Button onPress={clear}>{t('clearSearch')}</Button>
    </div>
  )
}
