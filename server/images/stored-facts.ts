import type { ImageRow } from './image-row.ts'
import { imageUrl } from './image-url.ts'

/**
 * What a webhook is told of an image that has just been stored. Of a private one neither its name nor where it lies, which
 * are its owner's alone; the URL of a `link` image opens it for whoever reads the message.
 */
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
