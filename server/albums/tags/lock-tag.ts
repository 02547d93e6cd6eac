import { z } from 'zod'
import { isSuperadmin, type Viewer } from '#server/accounts/viewer.ts'
import type { Transaction } from '#server/database/database.ts'
import { refuse } from '#server/errors/refuse.ts'
import { tagKey, tagName } from '#server/images/tag-name.ts'
import { lockTags, type TagRow } from './tag-rows.ts'

export const tagId = z.strictObject({ id: z.uuid() })

/** One of the viewer's own tags. */
export const ownTag = z.strictObject({ tag: tagName })

type Address = z.output<typeof tagId> | z.output<typeof ownTag>

/** Returns a tag that the viewer may change, with all tags of its owner locked. Throws the same NOT_FOUND for another's tag as for
 *  a missing one. */
export async function lockTag(
  tx: Transaction,
  viewer: Viewer,
  address: Address,
): Promise<TagRow & { readonly ownerId: string }> {
  const where =
    'id' in address ? { id: address.id } : { ownerId_nameKey: { ownerId: viewer.userId, nameKey: tagKey(address.tag) } }
  const select = { id: true, name: true, ownerId: true } as const
  const found = await tx.tag.findUnique({ where, select })
  if (!found || (found.ownerId !== viewer.userId && !isSuperadmin(viewer))) throw refuse('tag-not-found')
  await lockTags(tx, found.ownerId)
  const locked = await tx.tag.findUnique({ where: { id: found.id }, select })
  if (!locked) throw refuse('tag-not-found')
  return locked
}
