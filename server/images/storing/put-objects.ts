import { BudgetSpent } from '#server/storage/meter.ts'
import { type ObjectStore, originalKey, variantKey } from '#server/storage/object-store.ts'
import type { VerifiedFile } from './verified-file.ts'

/** Stores the bytes without asking whether they exist, which would be one more request for nearly every image. */
export async function putAll(store: ObjectStore, file: VerifiedFile): Promise<void> {
  const { path, sha256, size } = file.original
  await putVariants(store, sha256, file)
  await store.put(originalKey(sha256), { path }, size)
}

/** Stores the variants of the object `image`, all at once. Ends when each put has ended: nobody would remove what is put later. */
export async function putVariants(store: ObjectStore, image: string, { variants }: VerifiedFile): Promise<void> {
  const puts = await Promise.allSettled(
    variants.map(({ width, sha256, size, path }) => store.put(variantKey(image, width, sha256), { path }, size)),
  )
  for (const put of puts) if (put.status === 'rejected') throw put.reason
}

/**
 * Stores the bytes again where the store has lost them: whoever sends them must not be told in vain that they are kept. Needs
 * no hold: no removal touches what an image needs, and should that be purged in the meantime, correct bytes without a row are
 * the sweep's.
 */
export async function putIfLost(store: ObjectStore, file: VerifiedFile): Promise<void> {
  const { sha256, size } = file.original
  const found = await store.sizeOf(originalKey(sha256)).catch((error: unknown) => {
    // The image is there by now, and its row vouches for the bytes: no read is needed for that.
    if (error instanceof BudgetSpent) return size
    throw error
  })
  if (found !== size) await putAll(store, file)
}
