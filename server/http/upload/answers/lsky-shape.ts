import { translate } from '#messages/translate.ts'
import { chooseExtension } from '#server/images/format.ts'
import { makeLinks } from './links.ts'
import { type Shape, type Stored, withRequestId } from './shape.ts'

/** Answers as Lsky Pro does under /api/v1. An image's key is its ID, by which clients delete it. */
export const lskyShape: Shape = {
  taken: (origin, stored) => ({
    status: true,
    message: translate('http.uploaded'),
    data: describeImage(origin, stored),
  }),
  refused: (refusal) => ({
    status: false,
    error: refusal.error,
    message: refusal.message,
    ...withRequestId(refusal),
    data: {},
  }),
}

function describeImage(origin: string, stored: Stored) {
  const { image } = stored
  return {
    key: image.id,
    name: image.filename,
    origin_name: image.filename,
    pathname: new URL(image.url).pathname.slice(1),
    /** In KiB. */
    size: image.size / 1_024,
    mimetype: image.mime,
    extension: chooseExtension(image.mime),
    sha256: image.sha256,
    width: image.width,
    height: image.height,
    links: makeLinks(origin, stored),
  }
}
