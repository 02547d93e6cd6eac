'use client'

import { useMemo } from 'react'
import type { ImageItem } from '#app/connection/trpc.ts'
import { reportFailure } from '#app/limits/report-failure.tsx'
import { dismiss, toast } from '#app/ui/toast-queue.ts'
import { count } from '#format/counts.ts'
import { useListCache } from '../use-image-list.ts'
import { inTurn } from './in-turn.ts'
import { LeftImages } from './left-images.tsx'
import { LongWork } from './long-work.ts'
import { AT_ONCE, isInPlace, type LeftImage, leftOf, type ManyAnswer } from './many.ts'
import { WorkProgress } from './work-progress.tsx'

export type ImageItems = readonly ImageItem[]

/** Something done to images, a hundred a call, and the words for it. */
export interface BulkAction {
  readonly call: (ids: string[]) => Promise<ManyAnswer>
  /** `Restoring 230 images` */
  readonly doing: (images: string) => string
  /** `12 images restored.` */
  readonly done: (amount: number) => string
  /** `not restored.` */
  readonly failed: string
  readonly again: (left: ImageItems) => void
  /** The way back for `done`, which were as `before` says. */
  readonly undo?: (before: ImageItems, done: ImageItems) => void
}

/** An outcome whose way back is offered still. */
interface Standing {
  readonly key: string
  readonly words: string
  readonly before: ImageItems
  readonly done: ImageItems
}

let standing: Standing | null = null

/** Does things to images, with one toast for all: while it lasts long how far it is, and then what came of it. */
export function useBulkActions() {
  const cache = useListCache()
  return useMemo(() => {
    /** Answers those to which it was done, as they are afterwards. */
    async function run(images: ImageItems, bulk: BulkAction): Promise<ImageItems> {
      const work = new LongWork(images.length)
      const isLong = images.length > AT_ONCE
      const shown = isLong ? showWork(bulk.doing(count(images.length, 'image')), work) : null
      const pace = {
        atOnce: AT_ONCE,
        signal: work.signal,
        onPart: work.advance,
        hasPassed: isLong ? work.hasPassed : async () => false,
      }
      const { results, stopped } = await inTurn(images, pace, async (part) => {
        const answer = await bulk.call(part.map(({ id }) => id))
        return settle(part, answer)
      })
      if (shown) dismiss(shown)
      const remaining = stopped?.remaining ?? []
      cache.add(remaining)
      const done = results.flatMap((result) => result.done)
      const outcome = { before: images, done, left: results.flatMap(({ left }) => left) }
      tell(bulk, outcome, work.signal.aborted ? remaining.length : 0)
      if (stopped && !work.signal.aborted)
        reportFailure(`${count(remaining.length, 'image')} ${bulk.failed}`, stopped.error, () => bulk.again(remaining))
      return done
    }

    /** Shows in the lists what a call did. Of what is no more, `done` has what was. */
    function settle(images: ImageItems, { items }: ManyAnswer) {
      const changed = new Map(items.flatMap((item) => (item.outcome === 'done' ? [[item.id, item.image]] : [])))
      const left = leftOf(images, items)
      const done = images.flatMap((image) => (changed.has(image.id) ? (changed.get(image.id) ?? image) : []))
      cache.remove([...changed.keys()])
      cache.add([...[...changed.values()].flatMap((image) => image ?? []), ...left.filter(isInPlace).map(imageOf)])
      if (!left.every(isInPlace)) void Promise.all([cache.expire(true), cache.expire(false)])
      return { done, left }
    }
    return { run, hide: (images: ImageItems) => cache.remove(images.map(({ id }) => id)) }
  }, [cache])
}

const imageOf = ({ image }: LeftImage): ImageItem => image

function showWork(title: string, work: LongWork): string {
  const action = { label: 'Stop', run: work.stop }
  return toast({ title, body: <WorkProgress work={work} />, action }, { stays: true })
}

interface Told extends Pick<Standing, 'before' | 'done'> {
  readonly left: readonly LeftImage[]
}

/** Says what came of a bulk action. Two of a kind, the first still to be read, are one: their undo takes back both. */
function tell(bulk: BulkAction, { before, done, left }: Told, stoppedBefore: number): void {
  if (done.length + left.length === 0) return
  const body = (left.length > 0 || stoppedBefore > 0) && (
    <>
      {stoppedBefore > 0 && (
        <span className="block">
          {count(stoppedBefore, 'image')} {bulk.failed}
        </span>
      )}
      {left.length > 0 && <LeftImages left={left} />}
    </>
  )
  const title = done.length > 0 ? bulk.done(done.length) : `${count(left.length, 'image')} ${bulk.failed}`
  const { undo } = bulk
  if (!undo || done.length === 0) return void toast({ title, ...(body && { body }) })
  const words = bulk.done(2)
  const earlier = standing?.words === words ? standing : null
  if (earlier) dismiss(earlier.key)
  const all = { before: [...(earlier?.before ?? []), ...before], done: [...(earlier?.done ?? []), ...done] }
  const action = { label: 'Undo', run: () => undo(all.before, all.done) }
  const key = toast(
    { title: bulk.done(all.done.length), ...(body && { body }), action },
    { onClose: () => forget(key) },
  )
  standing = { key, words, ...all }
}

function forget(key: string): void {
  if (standing?.key === key) standing = null
}
