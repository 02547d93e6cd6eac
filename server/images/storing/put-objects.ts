import { BudgetSpent } from '#server/storage/meter.ts'
import { type ObjectStore, originalKey, variantKey } from '#server/storage/object-store.ts'
import type { VariantFile, VerifiedFile } from './verified-file.ts'

/** Stores the bytes without checking whether they exist, which would cost one more request for nearly every image, and show
 *  that somebody else has it. */
export async function putAll(store: ObjectStore, file: VerifiedFile): Promise<void> {
  const { path, sha256, size } = file.original
  await putVariants(store, sha256, file.variants)
  await store.put(originalKey(sha256), { path }, size)
}

/** Stores the variants of the object `image` concurrently. Waits for every put to end, because nothing would remove a variant
 *  that is stored later. */
export async function putVariants(store: ObjectStore, image: string, variants: readonly VariantFile[]): Promise<void> {
  const puts = await Promise.allSettled(
    variants.map(({ width, sha256, size, path }) => store.put(variantKey(image, width, sha256), { path }, size)),
  )
  for (const put of puts) if (put.status === 'rejected') throw put.reason
}

/**
 * Stores the bytes again if the store has lost them, so that an upload of lost bytes does not report success in vain. Returns whether it had. Needs no
 * hold: no removal touches bytes that an image needs, and if the image is purged in the meantime, the sweep removes them.
 */
export async function putIfLost(store: ObjectStore, file: VerifiedFile): Promise<boolean> {
  const { sha256, size } = file.original
  const found = await store.readSize(originalKey(sha256)).catch((error: unknown) => {
    // The row vouches for the bytes, so the upload succeeds even if the budget does not allow the check.
    if (error instanceof BudgetSpent) return size
    throw error
  })
  if (found === size) return false
  await putAll(store, file)
  return true
}
