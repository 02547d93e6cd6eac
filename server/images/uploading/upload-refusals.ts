import type { TRPCError } from '@trpc/server'
import { refuse } from '#server/errors/refuse.ts'

/** Why a file is refused: codes of errors. */
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

/** Returns the error for a file above the limit. `filename` is cleaned, '' for a file without a name; `size` is null where it
 *  is not known. */
export function refuseTooLarge(filename: string, size: number | null, maxBytes: number): TRPCError {
  const limit = { bytes: maxBytes, ...(size !== null && { beside: size }) }
  const name = filename
  if (size === null)
    return name ? refuse('too-large-unknown', { name, limit }) : refuse('too-large-unknown-nameless', { limit })
  const values = { limit, size: { bytes: size, beside: maxBytes } }
  return name ? refuse('too-large', { name, ...values }) : refuse('too-large-nameless', values)
}
