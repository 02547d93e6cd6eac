import { newSlug } from './slug.ts'

export type Visibility = 'private' | 'link' | 'public'

/** The visibility that an upload requests for its image. */
export interface VisibilityWish {
  /** For an image that its owner does not have yet. */
  readonly visibility: Visibility
  /** For one that they have already: keep its visibility, change it, or refuse the upload unless it is the same. */
  readonly ofKnown: 'stays' | 'becomes' | 'must-be'
}

/** Returns the columns to update for a new visibility. An image that becomes private gets a new slug, so that old links and
 *  cached answers under the old URL lead nowhere. */
export function visibilityChange(image: { readonly visibility: Visibility }, visibility: Visibility) {
  const becomesPrivate = visibility === 'private' && image.visibility !== 'private'
  return { visibility, ...(becomesPrivate && { slug: newSlug() }) }
}
