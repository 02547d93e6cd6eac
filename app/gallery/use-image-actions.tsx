'use client'

import { useMemo } from 'react'
import { useRoomRefresh } from '#app/account/use-room.ts'
import { type ImageItem, useTRPCClient } from '#app/connection/trpc.ts'
import { hasCode } from '#app/limits/message.ts'
import { reportFailure } from '#app/limits/report-failure.tsx'
import { count } from '#app/ui/format.ts'
import { toast } from '#app/ui/toast-queue.ts'
import { inTurn } from './in-turn.ts'
import { useListCache } from './use-image-list.ts'

/** A wait that is taken without a word: the rule of so many a second, met by doing many things at once. */
const patient = { context: { limit: { waitUpToMs: 4000 } } }

/** Trash, restore and purge of one image or many: they leave the lists at once and come back if it did not work. */
export function useImageActions() {
  const client = useTRPCClient()
  const cache = useListCache()
  const refreshRoom = useRoomRefresh()
  return useMemo(() => {
    async function run(
      images: readonly ImageItem[],
      call: (id: string) => Promise<ImageItem | { id: string }>,
      words: { failed: string; again: (left: readonly ImageItem[]) => void },
    ): Promise<readonly ImageItem[]> {
      const ids = images.map(({ id }) => id)
      cache.remove(ids)
      const { results, stopped } = await inTurn(ids, call)
      if (stopped) {
        const left = images.filter(({ id }) => stopped.remaining.includes(id))
        const failed = words.failed.replace('#', count(left.length, 'image'))
        // What is not where it was cannot be had by trying again: the lists ask where everything now is.
        const isElsewhere = hasCode(stopped.error, 'NOT_FOUND', 'PRECONDITION_FAILED')
        if (isElsewhere) void Promise.all([cache.expire(true), cache.expire(false)])
        else cache.add(left)
        reportFailure(failed, stopped.error, isElsewhere ? undefined : () => words.again(left))
      }
      return results.flatMap((result) => ('slug' in result ? [result] : []))
    }

    async function trash(images: readonly ImageItem[]): Promise<readonly ImageItem[]> {
      const trashed = await run(images, (id) => client.image.delete.mutate({ id }, patient), {
        failed: '# not moved to the trash.',
        again: trash,
      })
      cache.add(trashed)
      if (trashed.length > 0) {
        const title =
          trashed.length === 1 ? 'Image moved to the trash.' : `${count(trashed.length, 'image')} moved to the trash.`
        toast({ title, action: { label: 'Undo', run: () => void restore(trashed) } })
      }
      return trashed
    }

    async function restore(images: readonly ImageItem[]): Promise<void> {
      const restored = await run(images, (id) => client.image.restore.mutate({ id }, patient), {
        failed: '# not restored.',
        again: restore,
      })
      cache.add(restored)
      if (restored.length > 0) toast({ title: `${count(restored.length, 'image')} restored.` })
    }

    async function purge(images: readonly ImageItem[]): Promise<void> {
      await run(images, (id) => client.image.purge.mutate({ id }, patient), { failed: '# not deleted.', again: purge })
      await refreshRoom()
    }
    return { trash, restore, purge }
  }, [client, cache, refreshRoom])
}
