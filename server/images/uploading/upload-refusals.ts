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
  const name = filename || 'The file'
  const limit = { bytes: maxBytes, ...(size !== null && { beside: size }) }
  if (size === null) return refuse('too-large-unknown', { name, limit })
  return refuse('too-large', { name, limit, size: { bytes: size, beside: maxBytes } })
}
