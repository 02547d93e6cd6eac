import type { Viewer } from '#server/accounts/viewer.ts'
import type { PrismaClient } from '#server/database/database.ts'
import { mayRead } from './access.ts'
import type { ByteRequest } from './byte-request.ts'
import { chooseExtension } from './format.ts'
import {
  findRepresentation,
  findSent,
  namedFor,
  type Representation,
  type SentImage,
  sentColumns,
} from './representation.ts'

/** An image's row, with the representation that was requested. */
export interface FoundImage {
  readonly image: SentImage
  readonly representation: Representation
}

/** Returns the image that an address names for a viewer, or null. Takes as many queries for a hidden image as for a
 *  missing one. */
export async function findByAddress(
  db: PrismaClient,
  { slug, extension, width }: ByteRequest,
  viewer: Viewer | null,
): Promise<FoundImage | null> {
  const image = await db.image.findUnique({ where: { slug }, select: sentColumns })
  if (!image || chooseExtension(image.mime) !== extension || !mayRead(viewer, image)) return null
  const named = namedFor(viewer, image)
  const representation = await findRepresentation(db, named, width)
  return representation && { image: named, representation }
}

/** Returns the images that several addresses name for a guest, in their order. */
export async function findForGuests(
  db: PrismaClient,
  asked: readonly ByteRequest[],
): Promise<readonly (FoundImage | null)[]> {
  const found = await findSent(db, asked)
  return found.map((each, index) => {
    const isThere = each && chooseExtension(each.image.mime) === asked[index]?.extension && mayRead(null, each.image)
    return isThere ? each : null
  })
}
