'use client'

import { useMemo } from 'react'
import { useTRPCClient, type Visibility } from '#app/connection/trpc.ts'
import { reportFailure } from '#app/limits/report-failure.tsx'
import { pathOf } from '#app/shell/safe-path.ts'
import { save } from '#app/ui/save.ts'
import { toast } from '#app/ui/toast-queue.ts'
import { useRoomRefresh } from '#app/upload/use-room.ts'
import { count } from '#format/counts.ts'
import { LeftImages } from './selecting/left-images.tsx'
import { AT_ONCE, leftOf, type ManyAnswer, visibilityWords } from './selecting/many.ts'
import { type BulkAction, type ImageItems, useBulkActions } from './selecting/use-bulk-actions.tsx'

/** A wait that is taken without a word. */
const patient = { context: { limit: { waitUpToMs: 4000 } } }

/** What is done to one image or many, with one toast for all: what was done, what was not and why, and the way back. */
export function useImageActions() {
  const client = useTRPCClient()
  const refreshRoom = useRoomRefresh()
  const { run, hide } = useBulkActions()
  return useMemo(() => {
    /** Answers those that are in the trash now. */
    async function trash(images: ImageItems): Promise<ImageItems> {
      hide(images)
      return run(images, {
        call: (ids) => client.image.deleteMany.mutate({ ids }, patient),
        doing: (those) => `Moving ${those} to the trash`,
        done: (amount) => `${amount === 1 ? 'Image' : count(amount, 'image')} moved to the trash.`,
        failed: 'not moved to the trash.',
        again: trash,
        undo: (_, done) => restore(done),
      })
    }

    async function restore(images: ImageItems): Promise<void> {
      hide(images)
      await run(images, {
        call: (ids) => client.image.restoreMany.mutate({ ids }, patient),
        doing: (those) => `Restoring ${those}`,
        done: (amount) => `${count(amount, 'image')} restored.`,
        failed: 'not restored.',
        again: restore,
      })
    }

    async function purge(images: ImageItems): Promise<void> {
      hide(images)
      await run(images, {
        call: (ids) => client.image.purgeMany.mutate({ ids }, patient),
        doing: (those) => `Deleting ${those} for good`,
        done: (amount) => `${count(amount, 'image')} deleted for good.`,
        failed: 'not deleted.',
        again: purge,
      })
      await refreshRoom()
    }

    const changing = {
      doing: (those: string) => `Changing who can see ${those}`,
      failed: 'not changed.',
    } satisfies Partial<BulkAction>

    async function setVisibility(images: ImageItems, visibility: Visibility): Promise<void> {
      await run(images, {
        ...changing,
        call: (ids) => client.image.setVisibilityMany.mutate({ ids, visibility }, patient),
        done: (amount) => visibilityWords(amount, visibility),
        again: (left) => setVisibility(left, visibility),
        // The links of what was made private are gone: no way back brings them with it.
        ...(visibility !== 'private' && { undo: setBack }),
      })
    }

    /** Everybody sees of `done` again what they saw `before`. */
    async function setBack(before: ImageItems, done: ImageItems): Promise<void> {
      const visibilities = new Map(before.map(({ id, visibility }) => [id, visibility]))
      const call = async (ids: string[]): Promise<ManyAnswer> => {
        const parts = Map.groupBy(ids, (id) => visibilities.get(id) ?? 'private')
        const answers = await Promise.all(
          [...parts].map(([visibility, own]) =>
            client.image.setVisibilityMany.mutate({ ids: own, visibility }, patient),
          ),
        )
        return { items: answers.flatMap(({ items }) => items) }
      }
      await run(done, {
        ...changing,
        call,
        done: (amount) => `${count(amount, 'image')} can be seen by whoever could before.`,
        again: (left) => setBack(before, left),
      })
    }

    async function download(images: ImageItems): Promise<void> {
      if (images.length > AT_ONCE)
        return void toast({
          title: `A zip holds at most ${AT_ONCE} images, and ${images.length} are selected: select fewer.`,
        })
      try {
        const ids = images.map(({ id }) => id)
        const { url, items } = await client.image.downloadMany.mutate({ ids }, patient)
        save(pathOf(url))
        const left = leftOf(images, items)
        if (left.length > 0)
          toast({ title: `${count(ids.length - left.length, 'image')} in the zip.`, body: <LeftImages left={left} /> })
      } catch (error) {
        reportFailure(`${count(images.length, 'image')} not downloaded.`, error, () => void download(images))
      }
    }
    return { trash, restore, purge, setVisibility, download }
  }, [client, run, hide, refreshRoom])
}
