'use client'

import { Share2 } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { Button } from '#app/ui/button.tsx'
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
    <Button tone="link" size="small" onPress={() => void share()} className="-my-1.5 -mr-3">
      <Share2 size={16} /> Share
    </Button>
  )
}
