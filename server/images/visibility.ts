import { newSlug } from './slug.ts'

export type Visibility = 'private' | 'link' | 'public'

/** What an upload says of who may see its image. */
export interface VisibilityWish {
  /** Of an image that its owner does not have yet. */
  readonly visibility: Visibility
  /** What is to be of one that they have: it stays as it is, becomes so, or is refused unless it is so. */
  readonly ofKnown: 'stays' | 'becomes' | 'must-be'
}

/** Returns the columns to update for a new visibility. An image that becomes private gets a new slug, so that old links and
 *  cached answers under the old URL lead nowhere. */
export function visibilityChange(image: { readonly visibility: Visibility }, visibility: Visibility) {
  const becomesPrivate = visibility === 'private' && image.visibility !== 'private'
  return { visibility, ...(becomesPrivate && { slug: newSlug() }) }
}
