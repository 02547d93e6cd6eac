'use client'

import { useSyncExternalStore } from 'react'
import { useTranslations } from 'use-intl/react'
import { applyTheme, themes } from '#app/shell/theme.ts'
import { Segments } from '#app/ui/segments.tsx'

function subscribe(onChange: () => void): () => void {
  const observer = new MutationObserver(onChange)
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  return () => observer.disconnect()
}

export function ThemeChoice() {
  const t = useTranslations('account')
  const theme = useSyncExternalStore(
    subscribe,
    () => themes.find((candidate) => candidate === document.documentElement.dataset.theme) ?? 'system',
    () => 'system' as const,
  )
  return (
    <Segments
      label={t('theme')}
      value={theme}
      options={themes.map((value) => ({ value, label: t(`themes.${value}`) }))}
      onChange={applyTheme}
    />
  )
}
