import { z } from 'zod'
import type { PrismaClient, Transaction } from '#server/database/database.ts'
import { Conflict, transact } from '#server/database/transact.ts'
import { type ImageRow, imageColumns } from '#server/images/image-row.ts'
import { titleOf } from '#server/images/names.ts'
import { type VisibilityWish, visibilityChange } from '#server/images/visibility.ts'
import type { StoringParts } from './store-image.ts'

/** What came behind a file. */
export interface Conclusion {
  readonly wish: VisibilityWish
  /** Cleaned; '' where nobody gave one. */
  readonly filename: string
}

/** An image that was stored before it was known who may see it. `isNew`: its owner did not have it before. */
export interface Unconcluded {
  readonly id: string
  readonly isNew: boolean
}

export type ConcludeOutcome =
  | { readonly outcome: 'stored'; readonly image: ImageRow }
  | { readonly outcome: 'other-visibility' }
  /** It has been purged meanwhile. */
  | { readonly outcome: 'gone' }
  /** Its owner has been banned meanwhile. */
  | { readonly outcome: 'owner-gone' }

/**
 * Says of an image who may see it, where that is open: its form has ended, or another upload of the same bytes comes to its
 * end before, be it the one that its owner makes after a crash. Any other is there already, and comes out of the trash, if
 * it lies there, and is seen by whom it is to be seen by; nothing is changed where it is not as it must be. Throws Conflict,
 * for the transaction to be made again, when somebody else says who may see it at the same time.
 */
export async function concludeUpload(
  tx: Transaction,
  { id, isNew }: Unconcluded,
  { wish, filename }: Conclusion,
  onStored: StoringParts['onStored'],
): Promise<ConcludeOutcome> {
  const name = filename === '' ? {} : { filename, title: titleOf(filename) }
  const ended = { formOpen: false, ...name, ...(!isNew && { trashedAt: null }) }
  const [concluded] = await tx.image.updateManyAndReturn({
    where: { id, formOpen: true, visibility: 'private', owner: { bannedAt: null } },
    data: { visibility: wish.visibility, ...ended },
    select: imageColumns,
  })
  if (concluded) {
    await onStored?.(tx, concluded)
    return { outcome: 'stored', image: concluded }
  }
  const select = { visibility: true, formOpen: true, owner: { select: { bannedAt: true } } } as const
  const row = await tx.image.findUnique({ where: { id }, select })
  if (!row) return { outcome: 'gone' }
  const { owner, ...found } = row
  if (owner.bannedAt) return { outcome: 'owner-gone' }
  const { visibility, ofKnown } = wish
  // Open still, its owner has shared it meanwhile.
  const { formOpen } = found
  if (!formOpen && ofKnown === 'must-be' && found.visibility !== visibility) return { outcome: 'other-visibility' }
  const change = formOpen || ofKnown === 'becomes' ? visibilityChange(found, visibility) : {}
  const [image] = await tx.image.updateManyAndReturn({
    where: { id, ...found },
    data: { ...(formOpen ? ended : { trashedAt: null }), ...change },
    select: imageColumns,
  })
  if (!image) throw new Conflict('Who may see the image has changed meanwhile')
  if (formOpen) await onStored?.(tx, image)
  return { outcome: 'stored', image }
}

const ids = z.array(z.object({ id: z.string() }))

/**
 * Concludes what no form will any more, for its process has crashed: after an hour, which no form lasts. Nobody knows what
 * was asked for, so it stays as it is, its owner's alone unless that one has said otherwise, and is told of.
 */
export async function concludeForgotten(db: PrismaClient, onStored: StoringParts['onStored']): Promise<void> {
  const forgotten = await db.$queryRaw`
    SELECT "id"::text FROM "Image" WHERE "formOpen" AND "createdAt" < clock_timestamp() - interval '1 hour'`
  for (const { id } of ids.parse(forgotten)) {
    await transact(db, async (tx) => {
      const where = { id, formOpen: true }
      const [image] = await tx.image.updateManyAndReturn({ where, data: { formOpen: false }, select: imageColumns })
      if (image) await onStored?.(tx, image)
    })
  }
}
