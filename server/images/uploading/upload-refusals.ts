import { type TRPC_ERROR_CODE_KEY, TRPCError } from '@trpc/server'
import { translate } from '#messages/translate.ts'
import { Refused } from '#server/errors/refused.ts'

/** Why a file was not taken. */
export type UploadRefusal =
  | 'aborted'
  | 'busy'
  | 'empty'
  | 'not-an-image'
  | 'other-visibility'
  | 'over-quota'
  | 'over-site'
  | 'owner-gone'
  | 'too-costly'
  | 'too-large'
  | 'too-many-pixels'
  | 'too-much-metadata'
  | 'undecodable'
  | 'unsupported'

export const uploadRefusals = {
  aborted: { code: 'CLIENT_CLOSED_REQUEST', message: 'The upload was broken off.' },
  busy: { code: 'SERVICE_UNAVAILABLE', message: 'Many images are coming in. Try again in a few seconds.' },
  empty: { code: 'UNPROCESSABLE_CONTENT', message: 'The file is empty.' },
  'not-an-image': { code: 'UNSUPPORTED_MEDIA_TYPE', message: 'Only JPEG, PNG, GIF, WebP and AVIF images are taken.' },
  'other-visibility': {
    code: 'CONFLICT',
    message:
      'You have this image already, with another visibility. Change that on its page, or send a token that may manage.',
  },
  // Said with its figures by overQuotaMessage.
  'over-quota': { code: 'PAYLOAD_TOO_LARGE', message: 'Your images take all the space that you may have.' },
  'over-site': {
    code: 'PAYLOAD_TOO_LARGE',
    message: 'This image is larger than the room that this site has left. A smaller one may fit.',
  },
  'owner-gone': { code: 'UNAUTHORIZED', message: 'This account has been banned or deleted.' },
  'too-costly': { code: 'UNPROCESSABLE_CONTENT', message: 'The image takes too much time or memory to decode.' },
  // Said with its figures by tooLargeMessage.
  'too-large': { code: 'PAYLOAD_TOO_LARGE', message: 'The file is larger than this site takes.' },
  'too-many-pixels': {
    code: 'UNPROCESSABLE_CONTENT',
    message:
      'The image has too many pixels or frames: 100 megapixels are taken, and 1,000 frames with 250 megapixels together.',
  },
  'too-much-metadata': {
    code: 'UNPROCESSABLE_CONTENT',
    message: 'The file carries more than 8 MB of metadata: save it without, and send it again.',
  },
  undecodable: { code: 'UNPROCESSABLE_CONTENT', message: 'The file is damaged: it does not decode to its end.' },
  unsupported: {
    code: 'UNSUPPORTED_MEDIA_TYPE',
    message: 'This file uses a rare variant of its format that is not taken: save it anew, and send it again.',
  },
} as const satisfies Record<UploadRefusal, { code: TRPC_ERROR_CODE_KEY; message: string }>

/** What a refused upload is answered; `data.reason` names the refusal, which may say more than its usual words. */
export const refusedUpload = (reason: UploadRefusal, words: { readonly message?: string } = {}): TRPCError =>
  new TRPCError({ ...uploadRefusals[reason], ...words, cause: new Refused(reason) })

/** Says how large a file is, where that is known, and how large one may be. `filename` is cleaned, '' where it has none. */
export function tooLargeMessage(filename: string, size: number | null, maxBytes: number): string {
  const name = filename || 'The file'
  const limit = { bytes: maxBytes, ...(size !== null && { beside: size }) }
  if (size === null) return translate('errors.too-large-unknown', { name, limit })
  return translate('errors.too-large', { name, limit, size: { bytes: size, beside: maxBytes } })
}
