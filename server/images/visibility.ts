import { newSlug } from './slug.ts'

/** Who may see an image. */
export type Visibility = 'private' | 'link' | 'public'

/** What an upload says of who may see its image. */
export interface VisibilityWish {
  /** Of an image that its owner does not have yet. */
  readonly visibility: Visibility
  /** What is to be of one that they have: it stays as it is, becomes so, or is refused unless it is so. */
  readonly ofKnown: 'stays' | 'becomes' | 'must-be'
}

/** What changes in an image's row with who may see it: of one that becomes private the address too, so that whoever had the
 *  link, and every cache that kept an answer, has one that leads nowhere now. */
export function visibilityChange(image: { readonly visibility: Visibility }, visibility: Visibility) {
  const becomesPrivate = visibility === 'private' && image.visibility !== 'private'
  return { visibility, ...(becomesPrivate && { slug: newSlug() }) }
}
