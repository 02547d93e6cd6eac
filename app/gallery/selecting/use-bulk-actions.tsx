'use client'

import { useMemo } from 'react'
import { useTranslations } from 'use-intl/react'
import type { ImageItem } from '#app/connection/trpc.ts'
import { reportFailure } from '#app/limits/report-failure.tsx'
import { dismiss, toast } from '#app/ui/toast-queue.ts'
import type { Translate } from '#app/ui/translate.ts'
import { useListCache } from '../use-image-list.ts'
import { inTurn } from './in-turn.ts'
import { LongWork } from './long-work.ts'
import { AT_ONCE, findSkipped, isInPlace, type ManyAnswer, type SkippedImage } from './many.ts'
import { SkippedImages } from './skipped-images.tsx'
import { WorkProgress } from './work-progress.tsx'

export type ImageItems = readonly ImageItem[]

type Done = 'movedToTrash' | 'restored' | 'deleted' | 'madePrivate' | 'madeLink' | 'madePublic' | 'changedBack'

/** An action on images, a hundred per call, and its messages, each of which takes a count. */
export interface BulkAction {
  readonly call: (ids: string[]) => Promise<ManyAnswer>
  readonly doing: 'movingToTrash' | 'restoring' | 'deleting' | 'changing'
  readonly done: Done
  readonly failed: 'notMovedToTrash' | 'notRestored' | 'notDeleted' | 'notChanged'
  readonly retry: (remaining: ImageItems) => void
  /** Undoes the action for `done`. `before` holds the images as they were. */
  readonly undo?: (before: ImageItems, done: ImageItems) => void
}

/** The last outcome with an Undo button, while its toast is shown. */
interface Undoable {
  readonly key: string
  readonly message: Done
  readonly before: ImageItems
  readonly done: ImageItems
}

let undoable: Undoable | null = null

/** Runs actions on images with one toast each: the progress of long ones, then the outcome. */
export function useBulkActions() {
  const t = useTranslations('gallery')
  const cache = useListCache()
  return useMemo(() => {
    /** Returns the images that were changed, as they are afterwards. */
    async function run(images: ImageItems, bulk: BulkAction): Promise<ImageItems> {
      const work = new LongWork(images.length)
      const isLong = images.length > AT_ONCE
      const shown = isLong ? showProgress(t(bulk.doing, { count: images.length }), work, t) : null
      const pace = {
        atOnce: AT_ONCE,
        signal: work.signal,
        onPart: work.advance,
        hasPassed: isLong ? work.hasPassed : async () => false,
      }
      const { results, stopped } = await inTurn(images, pace, async (part) => {
        const answer = await bulk.call(part.map(({ id }) => id))
        return applyAnswer(part, answer)
      })
      if (shown) dismiss(shown)
      const remaining = stopped?.remaining ?? []
      cache.add(remaining)
      const done = results.flatMap((result) => result.done)
      const skipped = results.flatMap((result) => result.skipped)
      showOutcome(bulk, { before: images, done, skipped, notStarted: work.signal.aborted ? remaining.length : 0 }, t)
      if (stopped && !work.signal.aborted)
        reportFailure(t(bulk.failed, { count: remaining.length }), stopped.error, () => bulk.retry(remaining))
      return done
    }

    /** Updates the lists after a call. For deleted images, `done` holds them as they were. */
    function applyAnswer(images: ImageItems, { items }: ManyAnswer) {
      const changed = new Map(items.flatMap((item) => (item.outcome === 'done' ? [[item.id, item.image]] : [])))
      const skipped = findSkipped(images, items)
      const done = images.flatMap((image) => (changed.has(image.id) ? (changed.get(image.id) ?? image) : []))
      const unchanged = skipped.filter(isInPlace).map(({ image }) => image)
      cache.remove([...changed.keys()])
      cache.add([...[...changed.values()].flatMap((image) => image ?? []), ...unchanged])
      if (unchanged.length < skipped.length) void Promise.all([cache.expire(true), cache.expire(false)])
      return { done, skipped }
    }
    return { run, hide: (images: ImageItems) => cache.remove(images.map(({ id }) => id)) }
  }, [cache, t])
}

function showProgress(title: string, work: LongWork, t: Translate<'gallery'>): string {
  const action = { label: t('stop'), run: work.stop }
  return toast({ title, body: <WorkProgress work={work} />, action }, { stays: true })
}

interface Outcome extends Pick<Undoable, 'before' | 'done'> {
  readonly skipped: readonly SkippedImage[]
  /** Images that were not reached before the action was stopped. */
  readonly notStarted: number
}

/** Shows the outcome of an action. While the toast of the same action is still shown, they become one with one Undo. */
function showOutcome(bulk: BulkAction, { before, done, skipped, notStarted }: Outcome, t: Translate<'gallery'>): void {
  if (done.length + skipped.length === 0) return
  const body = (skipped.length > 0 || notStarted > 0) && (
    <>
      {notStarted > 0 && <span className="block">{t(bulk.failed, { count: notStarted })}</span>}
      {skipped.length > 0 && <SkippedImages skipped={skipped} />}
    </>
  )
  const title = done.length > 0 ? t(bulk.done, { count: done.length }) : t(bulk.failed, { count: skipped.length })
  const { undo, done: message } = bulk
  if (!undo || done.length === 0) return void toast({ title, ...(body && { body }) })
  const earlier = undoable?.message === message ? undoable : null
  if (earlier) dismiss(earlier.key)
  const all = { before: [...(earlier?.before ?? []), ...before], done: [...(earlier?.done ?? []), ...done] }
  const action = { label: t('undo'), run: () => undo(all.before, all.done) }
  const key = toast(
    { title: t(message, { count: all.done.length }), ...(body && { body }), action },
    { onClose: () => forget(key) },
  )
  undoable = { key, message, ...all }
}

function forget(key: string): void {
  if (undoable?.key === key) undoable = null
}
