'use client'

import { EyeOff } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { type AlbumItem, useTRPCClient } from '#app/connection/trpc.ts'
import { AT_ONCE } from '#app/gallery/selecting/many.ts'
import { useListCache } from '#app/gallery/use-image-list.ts'
import { reportFailure } from '#app/limits/report-failure.tsx'
import { Button } from '#app/ui/button.tsx'
import { toast } from '#app/ui/toast-queue.ts'
import { useAlbumCache } from './use-albums.ts'

/** Tells how many images of a shared album others do not see, and offers to change that: sharing an album changes no image. */
export function HiddenNotice({ album }: { album: AlbumItem }) {
  const t = useTranslations('albums')
  const { reveal, isRevealing } = useReveal(album.id)
  const { hidden } = album
  if (!hidden || hidden.count === 0) return null
  return (
    <div className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-md bg-gate-soft px-3 py-2.5 text-sm in-[[role=dialog]]:mb-0">
      <p className="flex min-w-0 items-start gap-2">
        <EyeOff size={16} className="mt-0.5 shrink-0 text-gate" />
        {t(hidden.more ? 'hiddenMore' : 'hidden', { count: hidden.count })}
      </p>
      <Button size="small" isPending={isRevealing} onPress={() => void reveal()}>
        {t('reveal', { count: hidden.count })}
      </Button>
    </div>
  )
}

/** Gives all private images of an album an unlisted link, page by page. */
function useReveal(id: string) {
  const t = useTranslations('albums')
  const client = useTRPCClient()
  const albums = useAlbumCache()
  const lists = useListCache()
  const [isRevealing, setRevealing] = useState(false)
  const reveal = async () => {
    setRevealing(true)
    let revealed = 0
    try {
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const page = await client.album.images.query({ id, limit: AT_ONCE, ...(cursor && { cursor }) })
        const ids = page.items.flatMap((image) => (image.visibility === 'private' ? image.id : []))
        if (ids.length > 0) {
          const { items } = await client.image.setVisibilityMany.mutate({ ids, visibility: 'link' })
          revealed += items.filter(({ outcome }) => outcome === 'done').length
        }
        cursor = page.nextCursor
      }
      toast({ title: t('revealed', { count: revealed }) })
    } catch (error) {
      reportFailure(t('notRevealed'), error, () => void reveal())
    }
    setRevealing(false)
    await Promise.all([albums.expire(id), lists.expire(false)])
  }
  return { reveal, isRevealing }
}
