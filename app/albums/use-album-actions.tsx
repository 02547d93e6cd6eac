'use client'

import { useRouter } from 'next/navigation'
import { useMemo, useRef } from 'react'
import { useTranslations } from 'use-intl/react'
import { type AlbumItem, type ImageItem, useTRPCClient } from '#app/connection/trpc.ts'
import { AT_ONCE } from '#app/gallery/selecting/many.ts'
import { reportFailure } from '#app/limits/report-failure.tsx'
import { toPath } from '#app/shell/safe-path.ts'
import { save } from '#app/ui/save.ts'
import { toast } from '#app/ui/toast-queue.ts'
import { useAlbumImageCache } from './use-album-images.ts'
import { useAlbumCache } from './use-albums.ts'

type Change = Partial<Pick<AlbumItem, 'order' | 'coverId' | 'visibility'>>

/** What can be done with an album and its images, each with a toast for its outcome and Undo where there is one. */
export function useAlbumActions(album: AlbumItem) {
  const t = useTranslations('albums')
  const client = useTRPCClient()
  const router = useRouter()
  const cache = useAlbumCache()
  const images = useAlbumImageCache(album)
  /** Moves are sent one after the other, in the order in which they were made. */
  const moves = useRef(Promise.resolve())
  const { id } = album
  return useMemo(() => {
    async function update(change: Change, done?: string): Promise<void> {
      try {
        cache.put(await client.album.update.mutate({ id, ...change }))
        if (done) toast({ title: done })
      } catch (error) {
        reportFailure(t('notChanged'), error, () => void update(change, done))
      }
    }

    /** Makes another's album private, as moderation: it is gone for the viewer afterwards. */
    async function hide(): Promise<void> {
      try {
        await client.album.update.mutate({ id, visibility: 'private' })
        await cache.expireLists()
        router.push('/albums')
      } catch (error) {
        reportFailure(t('notChanged'), error, () => void hide())
      }
    }

    async function remove(selected: readonly ImageItem[]): Promise<void> {
      images.remove(new Set(selected.map((image) => image.id)))
      const ranks = new Map<string, string>()
      try {
        for (const part of parts(selected)) {
          const { items } = await client.album.remove.mutate({ id, images: part.map((image) => image.id) })
          for (const item of items) if (item.outcome === 'done' && item.rank !== null) ranks.set(item.id, item.rank)
        }
        toast({
          title: t('removed', { count: ranks.size }),
          action: { label: t('undo'), run: () => void putBack(ranks) },
        })
      } catch (error) {
        reportFailure(t('notRemoved'), error, () => void remove(selected.filter((image) => !ranks.has(image.id))))
      }
      await cache.expire(id)
    }

    async function putBack(ranks: ReadonlyMap<string, string>): Promise<void> {
      try {
        for (const part of parts([...ranks])) {
          await client.album.add.mutate({
            id,
            images: part.map(([image]) => image),
            ranks: part.map(([, rank]) => rank),
          })
        }
      } catch (error) {
        reportFailure(t('notPutBack'), error, () => void putBack(ranks))
      }
      await cache.expire(id)
    }

    /** `moved` are in the order of the list. */
    function move(moved: readonly string[], target: string, isBefore: boolean): void {
      images.move(new Set(moved), target, isBefore)
      const send = async () => {
        let anchor = target
        for (const part of parts(moved)) {
          const place = isBefore ? { before: target } : { after: anchor }
          await client.album.move.mutate({ id, images: [...part], ...place })
          anchor = part.at(-1) ?? anchor
        }
        await cache.expireFacts(id)
      }
      const fail = async (error: unknown) => {
        reportFailure(t('notMoved'), error)
        await cache.expire(id)
      }
      moves.current = moves.current.then(send).catch(fail)
    }

    async function erase(): Promise<void> {
      try {
        await client.album.delete.mutate({ id })
        await cache.expireLists()
        router.push('/albums')
        toast({ title: t('deleted'), action: { label: t('undo'), run: () => void restore() } })
      } catch (error) {
        reportFailure(t('notDeleted'), error, () => void erase())
      }
    }

    async function restore(): Promise<void> {
      try {
        cache.put(await client.album.restore.mutate({ id }))
        router.push(`/albums/${id}`)
        toast({ title: t('restored') })
      } catch (error) {
        reportFailure(t('notRestored'), error, () => void restore())
      }
    }

    /** Downloads a hundred images; the toast offers the next. */
    async function download(after: string | null = null, part = 1): Promise<void> {
      try {
        const zip = await client.album.zip.mutate({ id, ...(after !== null && { after }) })
        save(toPath(zip.url))
        const { next } = zip
        if (next === null) return
        const action = { label: t('downloadPart'), run: () => void download(next, part + 1) }
        toast({ title: t('downloaded', { part, count: zip.images }), action }, { stays: true })
      } catch (error) {
        reportFailure(t('notDownloaded'), error, () => void download(after, part))
      }
    }
    return { update, hide, remove, move, erase, download }
  }, [client, cache, images, router, id, t])
}

/** Returns the items in parts of as many as a call takes. */
function parts<Item>(items: readonly Item[]): readonly (readonly Item[])[] {
  return Array.from({ length: Math.ceil(items.length / AT_ONCE) }, (_, at) =>
    items.slice(at * AT_ONCE, (at + 1) * AT_ONCE),
  )
}

export type AlbumActions = ReturnType<typeof useAlbumActions>
