import type { ImageItem } from '#app/connection/trpc.ts'
import { reportFailure } from '#app/limits/report-failure.tsx'
import { dismiss, toast } from '#app/ui/toast-queue.ts'
import type { Translate } from '#app/ui/translate.ts'
import type { useListCache } from '../use-image-list.ts'
import type { BulkAction, Done, ImageItems } from './bulk-action.ts'
import { inTurn } from './in-turn.ts'
import { LongWork } from './long-work.ts'
import { AT_ONCE, type BulkAnswer, findSkipped, isInPlace, type SkippedImage } from './many.ts'
import { SkippedImages } from './skipped-images.tsx'
import { WorkProgress } from './work-progress.tsx'

type ListCache = ReturnType<typeof useListCache>

/** The last outcome with an Undo button, while its toast is shown. */
interface Undoable {
  readonly key: string
  readonly message: Done
  readonly before: ImageItems
  readonly done: ImageItems
}

let undoable: Undoable | null = null

/** Runs an action on images with one toast: the progress of a long one, then the outcome. Returns the images that were changed, as
 *  they are afterwards. */
export async function runBulk(
  images: ImageItems,
  bulk: BulkAction,
  cache: ListCache,
  t: Translate<'gallery'>,
): Promise<ImageItems> {
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
    return applyAnswer(cache, part, answer)
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
function applyAnswer(cache: ListCache, images: ImageItems, { items }: BulkAnswer) {
  const changed = new Map(items.flatMap((item) => (item.outcome === 'done' ? [[item.id, item.image]] : [])))
  const skipped = findSkipped(images, items)
  const done = images.flatMap((image) => (changed.has(image.id) ? (changed.get(image.id) ?? image) : []))
  const unchanged = skipped.filter(isInPlace).map(({ image }) => image)
  // An image in place of which there is another in the same list was changed; otherwise it is gone or in another list.
  const pairs = images.flatMap((before) => {
    const after = changed.get(before.id)
    return after === undefined ? [] : { before, after }
  })
  const [stayed, left] = [true, false].map((isSame) =>
    pairs.filter(({ before, after }) => (after !== null && isTrashed(after) === isTrashed(before)) === isSame),
  )
  for (const { after } of stayed ?? []) if (after) cache.replace(after)
  cache.remove((left ?? []).map(({ before }) => before))
  cache.add([...(left ?? []).flatMap(({ after }) => after ?? []), ...unchanged])
  if (unchanged.length < skipped.length) void Promise.all([cache.expire(true), cache.expire(false)])
  return { done, skipped }
}

const isTrashed = ({ trashedAt }: ImageItem): boolean => trashedAt !== null

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
