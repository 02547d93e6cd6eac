'use client'

import { Send } from 'lucide-react'
import { useTranslations } from 'use-intl/react'
import { IconButton } from '#app/ui/icon-button.tsx'
import { useShareSheet } from '#app/ui/use-share-sheet.ts'

/** Shares the page's URL through the device's own dialog, if it has one. */
export function ShareButton({ url, title, onFail }: { url: string; title: string; onFail: () => void }) {
  const t = useTranslations('image')
  const share = useShareSheet(onFail)
  if (!share) return null
  return (
    <IconButton tone="plain" size="icon" label={t('share')} onPress={() => void share({ url, title })}>
      <Send size={17} />
    </IconButton>
  )
}
