'use client'

import { useMemo } from 'react'
import { useRoomRefresh } from '#app/account/use-room.ts'
import { type ImageItem, useTRPCClient, type Visibility } from '#app/connection/trpc.ts'
import { visibilityNames } from '#app/image/visibilities.ts'
import { reportFailure } from '#app/limits/report-failure.tsx'
import { pathOf } from '#app/shell/safe-path.ts'
import { count } from '#app/ui/format.ts'
import { save } from '#app/ui/save.ts'
import { toast } from '#app/ui/toast-queue.ts'
import { inTurn } from './in-turn.ts'
import { LeftImages } from './left-images.tsx'
import { AT_ONCE, isInPlace, type LeftImage, leftOf, type ManyAnswer } from './many.ts'
import { useListCache } from './use-image-list.ts'

/** A wait that is taken without a word, met by doing many things one after the other. */
const patient = { context: { limit: { waitUpToMs: 4000 } } }

type Images = readonly ImageItem[]

interface Words {
  /** `12 images restored.` */
  readonly done: (amount: number) => string
  /** `not restored.` */
  readonly failed: string
  readonly again: (left: Images) => void
  readonly undo?: (done: Images) => void
}

/** What is done to one image or many, with one toast for all: what was done, what was not and why, and the way back. */
export function useImageActions() {
  const client = useTRPCClient()
  const cache = useListCache()
  const refreshRoom = useRoomRefresh()
  return useMemo(() => {
    /** Answers the images as they are afterwards, as far as there are any. */
    async function run(images: Images, call: (ids: string[]) => Promise<ManyAnswer>, words: Words): Promise<Images> {
      const asked = images.map(({ id }) => id)
      const { results, stopped } = await inTurn(asked, AT_ONCE, (ids) => call([...ids]))
      const items = results.flatMap((result) => result.items)
      const done = items.flatMap((item) => (item.outcome === 'done' ? item : []))
      const left = leftOf(images, items)
      const changed = done.flatMap(({ image }) => image ?? [])
      cache.remove(done.map(({ id }) => id))
      cache.add([...changed, ...left.filter(isInPlace).map(({ image }) => image)])
      if (!left.every(isInPlace)) void Promise.all([cache.expire(true), cache.expire(false)])
      if (stopped) {
        const remaining = images.filter(({ id }) => stopped.remaining.includes(id))
        cache.add(remaining)
        reportFailure(`${count(remaining.length, 'image')} ${words.failed}`, stopped.error, () =>
          words.again(remaining),
        )
      }
      tell(done.length, left, words, changed)
      return changed
    }

    async function trash(images: Images): Promise<Images> {
      cache.remove(images.map(({ id }) => id))
      return run(images, (ids) => client.image.deleteMany.mutate({ ids }, patient), {
        done: (amount) => `${amount === 1 ? 'Image' : count(amount, 'image')} moved to the trash.`,
        failed: 'not moved to the trash.',
        again: trash,
        undo: restore,
      })
    }

    async function restore(images: Images): Promise<void> {
      cache.remove(images.map(({ id }) => id))
      await run(images, (ids) => client.image.restoreMany.mutate({ ids }, patient), {
        done: (amount) => `${count(amount, 'image')} restored.`,
        failed: 'not restored.',
        again: restore,
      })
    }

    async function purge(images: Images): Promise<void> {
      cache.remove(images.map(({ id }) => id))
      await run(images, (ids) => client.image.purgeMany.mutate({ ids }, patient), {
        done: (amount) => `${count(amount, 'image')} deleted for good.`,
        failed: 'not deleted.',
        again: purge,
      })
      await refreshRoom()
    }

    async function setVisibility(images: Images, visibility: Visibility): Promise<void> {
      await run(images, (ids) => client.image.setVisibilityMany.mutate({ ids, visibility }, patient), {
        done: (amount) => `${count(amount, 'image')} now: ${visibilityNames[visibility].toLowerCase()}.`,
        failed: 'not changed.',
        again: (left) => void setVisibility(left, visibility),
        // The links of what was made private are gone: no way back brings them with it.
        ...(visibility !== 'private' && { undo: (done) => setBack(images, done, visibility) }),
      })
    }

    function setBack(images: Images, done: Images, visibility: Visibility): void {
      for (const [before, those] of Map.groupBy(images, (image) => image.visibility)) {
        const back = done.filter(({ id }) => before !== visibility && those.some((image) => image.id === id))
        if (back.length > 0) void setVisibility(back, before)
      }
    }

    async function download(images: Images): Promise<void> {
      try {
        const ids = images.map(({ id }) => id)
        const { url, items } = await client.image.downloadMany.mutate({ ids }, patient)
        save(pathOf(url))
        const left = leftOf(images, items)
        if (left.length > 0)
          tell(ids.length - left.length, left, { done: (amount) => `${count(amount, 'image')} in the zip.` })
      } catch (error) {
        reportFailure(`${count(images.length, 'image')} not downloaded.`, error, () => void download(images))
      }
    }
    return { trash, restore, purge, setVisibility, download }
  }, [client, cache, refreshRoom])
}

function tell(
  amount: number,
  left: readonly LeftImage[],
  { done, failed = '', undo }: Pick<Words, 'done'> & Partial<Words>,
  changed: Images = [],
): void {
  if (amount === 0 && left.length === 0) return
  toast({
    title: amount > 0 ? done(amount) : `${count(left.length, 'image')} ${failed}`,
    ...(left.length > 0 && { body: <LeftImages left={left} /> }),
    ...(undo && changed.length > 0 && { action: { label: 'Undo', run: () => undo(changed) } }),
  })
}
