import type { ImageItem, Outputs, Visibility } from '#app/connection/trpc.ts'
import { count } from '#format/counts.ts'

/** Images of one call; the server takes no more. */
export const AT_ONCE = 100

/** What became of many images. */
export type ManyAnswer = Outputs['image']['deleteMany']

type ManyItem = ManyAnswer['items'][number] | Outputs['image']['downloadMany']['items'][number]

/** Why nothing was done to an image. */
export type NotDone = Exclude<ManyItem['outcome'], 'done'>

/** An image to which nothing was done. */
export interface LeftImage {
  readonly image: ImageItem
  readonly outcome: NotDone
}

/** Those of `images` to which nothing was done, in their order. */
export function leftOf(images: readonly ImageItem[], items: readonly ManyItem[]): readonly LeftImage[] {
  const outcomes = new Map(items.map(({ id, outcome }) => [id, outcome]))
  return images.flatMap((image) => {
    const outcome = outcomes.get(image.id)
    return outcome === undefined || outcome === 'done' ? [] : { image, outcome }
  })
}

/** Whether an image is where it was: others have gone, and the lists are to ask for them anew. */
export const isInPlace = ({ outcome }: LeftImage): boolean => outcome === 'forbidden' || outcome === 'limited'

const reasons = {
  'not-found': 'not there any more',
  forbidden: 'not yours',
  limited: 'more than you may moderate for now',
  'not-in-trash': 'not in the trash any more',
} satisfies Record<NotDone, string>

/** As many lines as are read at a glance. */
const MOST_LINES = 5

/** `sunset: not yours`; of more images than are read at a glance how many for each reason: `12 images: not yours`. */
export function linesOf(left: readonly LeftImage[]): readonly string[] {
  if (left.length <= MOST_LINES) return left.map(({ image, outcome }) => `${nameOf(image)}: ${reasons[outcome]}`)
  const byReason = Map.groupBy(left, ({ outcome }) => outcome)
  return [...byReason].map(([outcome, images]) => `${count(images.length, 'image')}: ${reasons[outcome]}`)
}

const readers = {
  private: 'private now',
  link: 'open to anyone with the link now',
  public: 'public now',
} satisfies Record<Visibility, string>

/** `1 image is private now.`, `23 images are private now.` */
export const visibilityWords = (amount: number, visibility: Visibility): string =>
  `${count(amount, 'image')} ${amount === 1 ? 'is' : 'are'} ${readers[visibility]}.`

/** The title, or for those who may not know it, whose it is. */
export const nameOf = ({ title, owner }: ImageItem): string => title ?? `Private image of ${owner.username}`
