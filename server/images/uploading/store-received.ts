import { BudgetSpent } from '#server/storage/meter.ts'
import type { NewImage } from '../storing/insert-image.ts'
import { type StoreOutcome, type StoringParts, storeImage } from '../storing/store-image.ts'
import type { Following } from './following.ts'
import { withVariants } from './late-variants.ts'
import type { ReceivedUpload } from './receive-upload.ts'

const OVER_SITE = { outcome: 'over-site' } as const

export type Storable = Pick<ReceivedUpload, 'file' | 'takeLate'>

/** Stores an upload, and has its late variants follow. If the site has no room for what these may take at most, makes them first:
 *  nothing is refused that would fit. */
export async function storeReceived(
  storing: StoringParts,
  following: Following,
  { file, takeLate }: Storable,
  image: NewImage,
): Promise<StoreOutcome> {
  const stored = await storeImage(storing, file, image).catch((error: unknown) => {
    if (file.reserved > 0 && error instanceof BudgetSpent && error.until === null) return OVER_SITE
    throw error
  })
  if (stored.outcome !== 'stored' && stored.outcome !== 'over-site') return stored
  const late = takeLate()
  if (!late) return stored
  if (stored.outcome === 'stored') {
    if (stored.hasPut) following.start(file, late)
    else await late[Symbol.asyncDispose]()
    return stored
  }
  await using _picture = late
  const made = await late.make({ lane: [image.ownerId] })
  return made ? await storeImage(storing, withVariants(file, made), image) : { outcome: 'busy' }
}
