import { z } from 'zod'
import { ownAccount, toActor, writeAudit } from '#server/audit/audit.ts'
import { transact } from '#server/database/transact.ts'
import { refuse } from '#server/errors/refuse.ts'
import { MAX_IMAGES } from '#server/images/bulk/ids.ts'
import { imageCursor } from '#server/images/cursor.ts'
import { encodeCursor } from '#server/trpc/cursor.ts'
import { personalProcedure } from '#server/trpc/init.ts'
import { toLinkHolder } from '../links/download-link.ts'
import { exporting } from './limits.ts'
import { fitInZip, refuseIfLimited } from './refuse-if-limited.ts'

/** The most bytes of images in a part, unless it has one image: small enough to be read again after an interruption. */
const PART_BYTES = 256 * 1024 ** 2

const input = z.strictObject({
  /** The number of the part, from 1. */
  part: z.int().min(1).max(100_000),
  /** `next` of the part before; none for the first. */
  after: imageCursor.optional(),
})

const numbers = z.tuple([z.object({ images: z.int(), bytes: z.bigint().transform(Number) })])

/**
 * Returns a link to one part of an export of all that belongs to the viewer: a zip of originals, oldest first, trash included,
 * with a manifest, and facts about the account. Like every zip, it is charged when it is sent, and the link is as good as the
 * session. Images that are added meanwhile are in the last part; the parts before stay as they are.
 */
export const exportPart = personalProcedure
  .meta({ limits: exporting, audit: 'account.export', proof: 'fresh' })
  .input(input)
  .mutation(async ({ ctx, input: { part, after } }) => {
    const { db, images, config } = ctx.app
    const { userId: ownerId } = ctx.viewer
    const holder = toLinkHolder(ctx.viewer)
    if (!holder) throw refuse('signed-out')
    const rows = await db.image.findMany({
      where: { ownerId, ...(after && { AND: [{ createdAt: { gte: after.at } }, laterThan(after)] }) },
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
      take: MAX_IMAGES,
      select: { id: true, size: true, createdAt: true },
    })
    const fitting = takeWhileFitting(rows)
    const chosen = fitting.slice(0, await fitInZip(ctx, fitting.length))
    await refuseIfLimited(ctx, chosen.length)
    const last = chosen.at(-1)
    const rest = await db.$queryRaw`
      SELECT count(*)::int AS "images", COALESCE(sum("size"), 0)::bigint AS "bytes" FROM "Image"
      WHERE "ownerId" = ${ownerId}::uuid
        AND ("createdAt", "id") > (${last?.createdAt ?? new Date()}, ${last?.id ?? ownerId}::uuid)`
    const [left] = last ? numbers.parse(rest) : [{ images: 0, bytes: 0 }]
    if (part === 1) {
      const account = ownAccount(ctx.viewer)
      const act = { action: 'account.export', target: `user/${ownerId}`, account, before: null, after: null } as const
      await transact(db, (tx) => writeAudit(tx, toActor(ctx), act))
    }
    const { link, expiresAt } = images.zipLinks.seal({ holder, ids: chosen.map(({ id }) => id), exportPart: part })
    return {
      url: `${config.origin}/api/zip?link=${link}`,
      expiresAt: expiresAt.toISOString(),
      images: chosen.length,
      bytes: sumOfSizes(chosen),
      /** For the next part; null after the last. */
      next: last && left.images > 0 ? encodeCursor({ at: last.createdAt, id: last.id }) : null,
      /** What the parts after this one have. */
      left,
    }
  })

const laterThan = ({ at, id }: { at: Date; id: string }) => ({ OR: [{ createdAt: { gt: at } }, { id: { gt: id } }] })

interface Sized {
  readonly size: number
}

const sumOfSizes = (images: readonly Sized[]): number => images.reduce((sum, { size }) => sum + size, 0)

/** Returns the first images that fit into a part, and at least one. */
function takeWhileFitting<T extends Sized>(images: readonly T[]): readonly T[] {
  let bytes = 0
  const end = images.findIndex(({ size }, index) => {
    bytes += size
    return bytes > PART_BYTES && index > 0
  })
  return end === -1 ? images : images.slice(0, end)
}
