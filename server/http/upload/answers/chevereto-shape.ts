import { STATUS_CODES } from 'node:http'
import { chooseExtension } from '#server/images/format.ts'
import { pageUrl, sentThumbnail, sentUrl } from './links.ts'
import { type Shape, withRequestId } from './shape.ts'

/** Chevereto's format of responses under /api/1. */
export const cheveretoShape: Shape = {
  taken: (origin, stored) => {
    const { image, deletionUrl, share } = stored
    const extension = chooseExtension(image.mime)
    const bytes = { filename: image.filename, mime: image.mime, extension }
    return {
      status_code: 200,
      success: { message: 'image uploaded', code: 200 },
      image: {
        id_encoded: image.slug,
        name: image.filename.replace(/\.[A-Za-z0-9]{1,5}$/, ''),
        ...bytes,
        original_filename: image.filename,
        size: image.size,
        width: image.width,
        height: image.height,
        url: sentUrl(stored),
        display_url: sentUrl(stored),
        url_viewer: share?.url ?? pageUrl(origin, image),
        thumb: { ...bytes, url: sentThumbnail(stored) },
        delete_url: deletionUrl,
      },
      status_txt: 'OK',
    }
  },
  refused: (refusal) => ({
    status_code: refusal.status,
    error: { message: refusal.message, code: refusal.error, ...withRequestId(refusal) },
    status_txt: STATUS_CODES[refusal.status] ?? '',
  }),
}
