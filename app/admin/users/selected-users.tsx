'use client'

import { HardDrive, X } from 'lucide-react'
import { useEffect, useEffectEvent } from 'react'
import { useTranslations } from 'use-intl/react'
import { Button } from '#app/ui/button.tsx'
import { IconButton } from '#app/ui/icon-button.tsx'
import type { UserSelection } from './use-user-selection.ts'

/** What can be done with the selected accounts, at the bottom of the window. Escape clears the selection. */
export function SelectedUsers({ selection, onQuota }: { selection: UserSelection; onQuota: () => void }) {
  const t = useTranslations('adminUsers')
  const { selected, clear, selectAll } = selection
  const isShown = selected.length > 0
  const hear = useEffectEvent((event: KeyboardEvent) => {
    if (event.key === 'Escape' && !event.defaultPrevented) clear()
  })
  useEffect(() => {
    if (!isShown) return
    document.addEventListener('keydown', hear)
    return () => document.removeEventListener('keydown', hear)
  }, [isShown])
  if (!isShown) return null
  return (
    <div
      role="toolbar"
      aria-label={t('selection')}
      className="sticky bottom-4 z-10 mx-auto mt-4 flex w-fit max-w-full flex-wrap items-center gap-2 rounded-lg border border-line bg-raised p-2 shadow-raised max-sm:bottom-20"
    >
      <IconButton label={t('clearSelection')} onPress={clear}>
        <X size={18} />
      </IconButton>
      <span role="status" className="figures pr-2 text-sm font-medium">
        {t('selected', { count: selected.length })}
      </span>
      <Button size="small" tone="quiet" onPress={selectAll}>
        {t('selectAll')}
      </Button>
      <Button size="small" tone="primary" onPress={onQuota}>
        <HardDrive size={16} /> {t('action.quota')}
      </Button>
    </div>
  )
}
