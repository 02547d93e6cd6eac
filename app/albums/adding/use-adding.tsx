'use client'

import { useMemo } from 'react'
import { useTranslations } from 'use-intl/react'
import { type AlbumItem, type ImageItem, useTRPCClient } from '#app/connection/trpc.ts'
import { inTurn } from '#app/gallery/selecting/in-turn.ts'
import { LongWork } from '#app/gallery/selecting/long-work.ts'
import { AT_ONCE } from '#app/gallery/selecting/many.ts'
import { WorkProgress } from '#app/gallery/selecting/work-progress.tsx'
import { reportFailure } from '#app/limits/report-failure.tsx'
import { dismiss, toast } from '#app/ui/toast-queue.ts'
import { useAlbumCache } from '../use-albums.ts'

type Images = readonly Pick<ImageItem, 'id'>[]

/** Returns a function that adds images to an album, a hundred per call, with a toast for the outcome and Undo. */
export function useAdding() {
  const t = useTranslations('albums')
  const client = useTRPCClient()
  const cache = useAlbumCache()
  return useMemo(() => {
    const remove = async (id: string, added: readonly string[]) => {
      try {
        for (let at = 0; at < added.length; at += AT_ONCE)
          await client.album.remove.mutate({ id, images: added.slice(at, at + AT_ONCE) })
      } catch (error) {
        reportFailure(t('notRemoved'), error, () => void remove(id, added))
      }
      await cache.expire(id)
    }
    return async function add(album: Pick<AlbumItem, 'id' | 'title'>, images: Images): Promise<void> {
      const { id, title } = album
      const work = new LongWork(images.length)
      const isLong = images.length > AT_ONCE
      const stop = { label: t('stop'), run: work.stop }
      const shown = isLong
        ? toast(
            { title: t('adding', { count: images.length, title }), body: <WorkProgress work={work} />, action: stop },
            { stays: true },
          )
        : null
      const pace = {
        atOnce: AT_ONCE,
        signal: work.signal,
        onPart: work.advance,
        hasPassed: isLong ? work.hasPassed : async () => false,
      }
      const { results, stopped } = await inTurn(images, pace, async (part) => {
        const { items } = await client.album.add.mutate({ id, images: part.map((image) => image.id) })
        return items
      })
      if (shown) dismiss(shown)
      const items = results.flat()
      const added = items.flatMap((item) => (item.outcome === 'done' && item.changed ? item.id : []))
      const known = items.filter((item) => item.outcome === 'done' && !item.changed).length
      const others = items.filter(({ outcome }) => outcome === 'forbidden').length
      const body = [
        ...(known > 0 && added.length > 0 ? [t('alreadyIn', { count: known })] : []),
        ...(others > 0 ? [t('notYours', { count: others })] : []),
      ].map((line) => (
        <span key={line} className="block">
          {line}
        </span>
      ))
      const extra = body.length > 0 && { body }
      if (added.length > 0) {
        const action = { label: t('undo'), run: () => void remove(id, added) }
        toast({ title: t('added', { count: added.length, title }), action, ...extra })
      } else if (items.length > 0) {
        const isKnown = known > 0
        toast({ title: isKnown ? t('nothingAdded', { title }) : t('notAdded', { count: items.length }), ...extra })
      }
      if (stopped && !work.signal.aborted)
        reportFailure(
          t('notAdded', { count: stopped.remaining.length }),
          stopped.error,
          () => void add(album, stopped.remaining),
        )
      await cache.expire(id)
    }
  }, [client, cache, t])
}
