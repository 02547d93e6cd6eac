'use client'

import { Send } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { useTranslations } from 'use-intl/react'
import { IconButton } from '#app/ui/icon-button.tsx'

const never = () => () => undefined

/** Shares the page's URL through the device's own dialog, if it has one. */
export function ShareButton({ url, title, onFail }: { url: string; title: string; onFail: () => void }) {
  const t = useTranslations('image')
  const canShare = useSyncExternalStore(
    never,
    () => 'share' in navigator,
    () => false,
  )
  if (!canShare) return null
  const share = async () => {
    try {
      await navigator.share({ url, title })
    } catch (error) {
      const isCancelled = error instanceof DOMException && error.name === 'AbortError'
      if (!isCancelled) onFail()
    }
  }
  return (
    <IconButton tone="plain" size="icon" label={t('share')} onPress={() => void share()}>
      <Send size={17} />
    </IconButton>
  )
}
