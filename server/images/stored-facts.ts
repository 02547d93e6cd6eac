import type { ImageRow } from './image-row.ts'
import { imageUrl } from './image-url.ts'

/** Returns the webhook data for a newly stored image. A private image's names and URL are left out; the URL of a `link` image
 *  gives access to everyone who reads the event. */
export function storedFacts(image: ImageRow, origin: string) {
  const { id, mime, width, height, size, visibility } = image
  const isPrivate = visibility === 'private'
  return {
    id,
    owner: { id: image.owner.id, username: image.owner.username },
    ...{ mime, width, height, size, visibility },
    title: isPrivate ? null : image.title,
    filename: isPrivate ? null : image.filename,
    url: isPrivate ? null : imageUrl(origin, image),
  }
}
