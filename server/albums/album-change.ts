import type { AuditAction } from '#server/audit/actions.ts'
import { toActor, writeAudit } from '#server/audit/audit.ts'
import type { Transaction } from '#server/database/database.ts'
import type { UserContext } from '#server/images/bulk/user-context.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import { type AlbumRow, albumColumns } from './album-row.ts'

/** A change of an album, as audit and webhook name it. */
export type AlbumAct = 'create' | 'update' | 'delete' | 'restore' | 'add' | 'remove' | 'move'

/**
 * Writes a change to an album's row, in the transaction in which it happens, and reports it: to the webhook, and in the audit if
 * the album is another's. `images` are those added, removed or moved. Returns the row.
 */
export async function changeAlbum(
  tx: Transaction,
  ctx: UserContext,
  before: AlbumRow,
  {
    act,
    data,
    images = [],
  }: {
    readonly act: Exclude<AlbumAct, 'create'>
    readonly data: Prisma.AlbumUncheckedUpdateInput
    readonly images?: readonly string[]
  },
): Promise<AlbumRow> {
  const columns = { ...data, changedAt: new Date() }
  const after = await tx.album.update({ where: { id: before.id }, data: columns, select: albumColumns })
  if (before.ownerId !== ctx.viewer.userId)
    await auditOthers(tx, ctx, { before, after, images, action: `album.${act}` })
  await reportAlbum(tx, ctx, after, { act, images })
  return after
}

async function auditOthers(
  tx: Transaction,
  ctx: UserContext,
  change: {
    readonly before: AlbumRow
    readonly after: AlbumRow
    readonly images: readonly string[]
    readonly action: Extract<AuditAction, `album.${string}`>
  },
): Promise<void> {
  const { before, after, images, action } = change
  await writeAudit(tx, toActor(ctx), {
    action,
    target: `album/${before.id}`,
    account: { id: before.owner.id, username: before.owner.username },
    before: auditedState(before),
    after: { ...auditedState(after), ...(images.length > 0 && { images: [...images] }) },
  })
}

const auditedState = ({ title, description, visibility, order, deletedAt }: AlbumRow) => ({
  ...{ title, description, visibility, order },
  isDeleted: deletedAt !== null,
})

/** Queues `album.changed`. A private album's title and URL are left out, as a private image's are. */
export async function reportAlbum(
  tx: Transaction,
  { app: { webhook, config } }: UserContext,
  album: AlbumRow,
  { act, images = [] }: { readonly act: AlbumAct; readonly images?: readonly string[] },
): Promise<void> {
  const isHidden = album.visibility === 'private'
  await webhook.send(tx, {
    type: 'album.changed',
    timestamp: album.changedAt.toISOString(),
    data: {
      id: album.id,
      act,
      owner: { id: album.owner.id, username: album.owner.username },
      visibility: album.visibility,
      title: isHidden ? null : album.title,
      url: isHidden ? null : `${config.origin}/a/${album.slug}`,
      images: [...images],
    },
  })
}
