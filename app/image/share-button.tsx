'use client'

import { Share2 } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { IconButton } from '#app/ui/icon-button.tsx'
import { toast } from '#app/ui/toast-queue.ts'

const never = () => () => undefined

/** Hands the page's address to the device's own way of sharing, where it has one. */
export function ShareButton({ url, title }: { url: string; title: string }) {
  const isThere = useSyncExternalStore(
    never,
    () => 'share' in navigator,
    () => false,
  )
  if (!isThere) return null
  const share = async () => {
    try {
      await navigator.share({ url, title })
    } catch (error) {
      const isGivenUp = error instanceof DOMException && error.name === 'AbortError'
      if (!isGivenUp) toast({ title: 'The device could not share it. Copy the link instead.' })
    }
  }
  return (
    <IconButton tone="plain" size="icon" label="Share" onPress={() => void share()}>
      <Share2 size={17} />
    </IconButton>
  )
}
