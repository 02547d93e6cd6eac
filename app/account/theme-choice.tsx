'use client'

import { useSyncExternalStore } from 'react'
import { applyTheme, type Theme, themes } from '#app/shell/theme.ts'
import { Segments } from '#app/ui/segments.tsx'

const labels = { system: 'System', light: 'Light', dark: 'Dark' } satisfies Record<Theme, string>

function subscribe(onChange: () => void): () => void {
  const observer = new MutationObserver(onChange)
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  return () => observer.disconnect()
}

export function ThemeChoice() {
  const theme = useSyncExternalStore(
    subscribe,
    () => themes.find((candidate) => candidate === document.documentElement.dataset.theme) ?? 'system',
    () => 'system' as const,
  )
  return (
    <Segments
      label="Theme"
      value={theme}
      options={themes.map((value) => ({ value, label: labels[value] }))}
      onChange={applyTheme}
    />
  )
}
