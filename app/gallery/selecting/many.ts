import type { ImageItem, Outputs } from '#app/connection/trpc.ts'
import { ownerName } from '#app/ui/owner-name.ts'
import type { Translate } from '#app/ui/translate.ts'

/** Images per call; the server's maximum. */
export const AT_ONCE = 100

/** The outcome of a call for many images. */
export type ManyAnswer = Outputs['image']['deleteMany']

export type TagAnswer = Outputs['tag']['add']
export type BulkAnswer = ManyAnswer | TagAnswer

type ManyItem = BulkAnswer['items'][number] | Outputs['image']['downloadMany']['items'][number]

export type SkipReason = Exclude<ManyItem['outcome'], 'done'>

/** An image that an action left unchanged. */
export interface SkippedImage {
  readonly image: ImageItem
  readonly outcome: SkipReason
}

/** Returns the skipped ones of `images`, in their order. */
export function findSkipped(images: readonly ImageItem[], items: readonly ManyItem[]): readonly SkippedImage[] {
  const outcomes = new Map(items.map(({ id, outcome }) => [id, outcome]))
  return images.flatMap((image) => {
    const outcome = outcomes.get(image.id)
    return outcome === undefined || outcome === 'done' ? [] : { image, outcome }
  })
}

/** Whether an image is still where the lists show it; otherwise they must be loaded again. */
export const isInPlace = ({ outcome }: SkippedImage): boolean =>
  outcome === 'forbidden' || outcome === 'limited' || outcome === 'too-many-tags'

/** Above this many lines, images are counted by reason instead of listed. */
const MOST_LINES = 5

/** Returns a line for each skipped image, or for many images a line for each reason. */
export function describeSkipped(skipped: readonly SkippedImage[], t: Translate<'gallery'>): readonly string[] {
  const lineFor = (what: string, outcome: SkipReason) => t(`skippedWhy.${outcome}`, { what })
  if (skipped.length <= MOST_LINES) return skipped.map(({ image, outcome }) => lineFor(imageName(image, t), outcome))
  const byReason = Map.groupBy(skipped, ({ outcome }) => outcome)
  return [...byReason].map(([outcome, images]) => lineFor(t('images', { count: images.length }), outcome))
}

/** Returns the title, or for a private image of another user the owner. */
export const imageName = ({ title, owner }: ImageItem, t: Translate<'gallery'>): string =>
  title ?? t('privateImage', { owner: ownerName(owner) ?? '' })
