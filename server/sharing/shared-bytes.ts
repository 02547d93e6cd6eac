import type { PrismaClient } from '#server/database/database.ts'
import type { ByteRequest } from '#server/images/byte-request.ts'
import { chooseExtension } from '#server/images/format.ts'
import type { FoundImage } from '#server/images/image-by-address.ts'
import { portableName } from '#server/images/names.ts'
import { findRepresentation } from '#server/images/representation.ts'
import type { ShareRow } from './share-row.ts'
import { findSharedImage } from './shared-images.ts'

/** Returns what a share sends for an address; null where it shows no such image, or no originals. Guests see no name that the
 *  file was uploaded under. */
export async function findSharedBytes(
  db: PrismaClient,
  share: ShareRow,
  { imageId, extension, width }: Pick<ByteRequest, 'extension' | 'width'> & { readonly imageId: string },
): Promise<FoundImage | null> {
  if (width === null && !share.originals) return null
  const image = await findSharedImage(db, share, imageId)
  if (!image || chooseExtension(image.mime) !== extension) return null
  const named = { ...image, filename: sharedName(share, image) }
  const representation = await findRepresentation(db, named, width)
  return representation && { image: named, representation }
}

/** Returns the file name of a shared image: its title, where the share shows titles. */
export const sharedName = (
  { showsTitles }: Pick<ShareRow, 'showsTitles'>,
  { title, mime }: { readonly title: string; readonly mime: string },
): string => portableName(showsTitles ? title : 'image', mime)
