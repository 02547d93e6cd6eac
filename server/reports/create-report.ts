import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Transaction } from '#server/database/database.ts'
import { readDatabaseTime } from '#server/database/database-time.ts'
import { transact } from '#server/database/transact.ts'
import { notFound } from '#server/images/find-image.ts'
import { type ImageRow, imageColumns } from '#server/images/image-row.ts'
import { cleanLines } from '#server/images/names.ts'
import { plainSubjectOf } from '#server/limits/subject.ts'
import type { CallContext } from '#server/trpc/context.ts'
import { publicProcedure } from '#server/trpc/init.ts'
import { limitsFor } from '#server/trpc/limit.ts'
import { findReported, type Reported, reportedInput } from './find-reported.ts'
import { reporting } from './limits.ts'
import { reportReasons } from './reasons.ts'
import { reportEvent } from './report-event.ts'

/** The most that is kept about one image; what comes after is counted by the limits alone. */
export const MAX_ENTRIES = 100

/** The most images of one report: as many as a page of a share shows. */
const MAX_REPORTED = 100

const input = z.strictObject({
  image: z
    .union([reportedInput, z.array(reportedInput).min(1).max(MAX_REPORTED)])
    .transform((image): readonly Reported[] => [image].flat()),
  reason: z.enum(reportReasons),
  /** In the reporter's own words; up to 1,000 characters. */
  text: z.string().max(5_000).transform(cleanLines).pipe(z.string().max(1_000)).default(''),
})

/**
 * Reports an image to the site's admins, or several: `{ image: { id } | { slug } | { share, name, visit? }, reason, text? }`, with an array
 * of them as `image`. Anybody may who may see it; for all others it does not exist. The answer is always the same, so that it tells nothing
 * of what others have reported. Of several images, those that are there are reported. A reporter's second report about an image replaces
 * their first.
 */
export const createReport = publicProcedure
  .meta({
    ...limitsFor(input, reporting),
    audit: { none: 'the queue says who has reported what, and no account acts' },
  })
  .input(input)
  .mutation(async ({ ctx, input: { image, ...said } }) => {
    const found = await Promise.all(image.map((each) => findReported(ctx.app, ctx.viewer, each)))
    const there = found.filter((each) => each !== null)
    if (there.length === 0) throw notFound()
    for (const each of there) {
      await transact(ctx.app.db, (tx) => record(tx, ctx, { ...each, ...said }))
      ctx.app.metrics.add('sluice_reports_total', said.reason)
    }
    return {}
  })

interface Said extends Pick<z.output<typeof input>, 'reason' | 'text'> {
  readonly id: string
  readonly shareId: string | null
}

/** Adds an entry, and opens the image's report if the reporter is a new one. */
async function record(tx: Transaction, { app, viewer, caller }: CallContext, said: Said): Promise<void> {
  const { id: imageId, shareId, reason, text } = said
  const now = await readDatabaseTime(tx)
  const image = await lockImage(tx, imageId)
  const { id: reportId } = await tx.report.upsert({
    where: { imageId },
    create: { id: randomUUID(), imageId, openedAt: now, lastAt: now },
    update: {},
    select: { id: true },
  })
  const reporter = plainSubjectOf('user', caller) ?? caller.address
  const where = { reportId_reporter: { reportId, reporter } }
  const entry = { at: now, reason, text, userId: viewer?.userId ?? null, shareId }
  const isKnown = (await tx.reportEntry.count({ where: { reportId, reporter } })) > 0
  const entries = await tx.reportEntry.count({ where: { reportId } })
  if (!isKnown && entries >= MAX_ENTRIES) return
  await tx.reportEntry.upsert({ where, create: { reportId, reporter, ...entry }, update: entry, select: { at: true } })
  if (isKnown) return
  const { count: reopened } = await tx.report.updateMany({
    where: { id: reportId, closedAt: { not: null } },
    data: { closedAt: null, openedAt: now },
  })
  await tx.report.update({ where: { id: reportId }, data: { lastAt: now }, select: { id: true } })
  if (entries === 0 || reopened > 0) await app.webhook.send(tx, reportEvent(app, image, { reportId, reason, now }))
}

/** Serializes reports of one image, and with its removal. */
async function lockImage(tx: Transaction, id: string): Promise<ImageRow> {
  await tx.$queryRaw`SELECT 1 FROM "Image" WHERE "id" = ${id}::uuid FOR NO KEY UPDATE`
  const image = await tx.image.findUnique({ where: { id }, select: imageColumns })
  if (!image) throw notFound()
  return image
}
