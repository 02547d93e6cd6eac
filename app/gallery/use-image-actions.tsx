'use client'

import { useMemo } from 'react'
import { useTranslations } from 'use-intl/react'
import { useTRPCClient, type Visibility } from '#app/connection/trpc.ts'
import { reportFailure } from '#app/limits/report-failure.tsx'
import { toPath } from '#app/shell/safe-path.ts'
import { save } from '#app/ui/save.ts'
import { toast } from '#app/ui/toast-queue.ts'
import { useRoomRefresh } from '#app/upload/use-room.ts'
import type { ImageItems } from './selecting/bulk-action.ts'
import { AT_ONCE, findSkipped, type ManyAnswer } from './selecting/many.ts'
import { useBulkActions } from './selecting/use-bulk-actions.ts'

/** Short waits for a limit are not shown. */
const patient = { context: { limit: { waitUpToMs: 4000 } } }

const made = { private: 'madePrivate', link: 'madeLink', public: 'madePublic' } as const satisfies Record<
  Visibility,
  string
>

/** Actions on one or many images, each with one toast: what was done, what was skipped and why, and Undo. */
export function useImageActions() {
  const t = useTranslations('gallery')
  const client = useTRPCClient()
  const refreshRoom = useRoomRefresh()
  const { run, hide } = useBulkActions()
  return useMemo(() => {
    /** Returns the images that are now in the trash. */
    async function trash(images: ImageItems): Promise<ImageItems> {
      hide(images)
      return run(images, {
        doing: 'movingToTrash',
        done: 'movedToTrash',
        failed: 'notMovedToTrash',
        call: (ids) => client.image.deleteMany.mutate({ ids }, patient),
        retry: trash,
        undo: (_, done) => restore(done),
      })
    }

    async function restore(images: ImageItems): Promise<void> {
      hide(images)
      await run(images, {
        doing: 'restoring',
        done: 'restored',
        failed: 'notRestored',
        call: (ids) => client.image.restoreMany.mutate({ ids }, patient),
        retry: restore,
      })
    }

    async function purge(images: ImageItems): Promise<void> {
      hide(images)
      await run(images, {
        doing: 'deleting',
        done: 'deleted',
        failed: 'notDeleted',
        call: (ids) => client.image.purgeMany.mutate({ ids }, patient),
        retry: purge,
      })
      await refreshRoom()
    }

    async function setVisibility(images: ImageItems, visibility: Visibility): Promise<void> {
      await run(images, {
        doing: 'changing',
        done: made[visibility],
        failed: 'notChanged',
        call: (ids) => client.image.setVisibilityMany.mutate({ ids, visibility }, patient),
        retry: (remaining) => setVisibility(remaining, visibility),
        // Making an image private deletes its link, which Undo could not restore.
        ...(visibility !== 'private' && { undo: undoVisibility }),
      })
    }

    /** Gives the images of `done` the visibility that they had in `before`. */
    async function undoVisibility(before: ImageItems, done: ImageItems): Promise<void> {
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
        doing: 'changing',
        done: 'changedBack',
        failed: 'notChanged',
        call,
        retry: (remaining) => undoVisibility(before, remaining),
      })
    }

    async function download(images: ImageItems): Promise<void> {
      const count = images.length
      if (count > AT_ONCE) return void toast({ title: t('tooManyForZip', { most: AT_ONCE, count }) })
      try {
        const { url, items } = await client.image.downloadMany.mutate({ ids: images.map(({ id }) => id) }, patient)
        save(toPath(url))
        const skipped = findSkipped(images, items)
        if (skipped.length === 0) return
        const { SkippedImages } = await import('./selecting/skipped-images.tsx')
        toast({
          title: t('downloaded', { count: count - skipped.length }),
          body: <SkippedImages skipped={skipped} />,
        })
      } catch (error) {
        reportFailure(t('notDownloaded', { count }), error, () => void download(images))
      }
    }
    return { trash, restore, purge, setVisibility, download }
  }, [client, run, hide, refreshRoom, t])
}
