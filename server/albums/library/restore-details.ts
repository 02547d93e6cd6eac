import { z } from 'zod'
import { ownAccount, toActor, writeAudit } from '#server/audit/audit.ts'
import type { Transaction } from '#server/database/database.ts'
import { transact } from '#server/database/transact.ts'
import { invalid } from '#server/errors/invalid.ts'
import { MAX_IMAGES } from '#server/images/bulk/ids.ts'
import { lockImages } from '#server/images/bulk/lock-images.ts'
import { type FilledDetails, fillDetails } from '#server/images/image-rows.ts'
import { cleanLines, cleanText, MAX_DESCRIPTION, MAX_NAME } from '#server/images/names.ts'
import { markImages } from '#server/images/set-favourite.ts'
import { tagName } from '#server/images/tag-name.ts'
import { personalProcedure } from '#server/trpc/init.ts'
import { limitsFor } from '#server/trpc/limit.ts'
import { findFull, findOrCreateTags, insertPairs, lockTags, MAX_TAGS_OF_IMAGE } from '../tags/tag-rows.ts'
import { libraryRestore } from './limits.ts'

/** An instant since 1900: scans of old photographs have dates before 1970. */
const instant = z.iso.datetime({ offset: true }).refine((text) => Date.parse(text) >= Date.UTC(1900, 0))

const details = z.strictObject({
  id: z.uuid().toLowerCase(),
  title: z.string().max(2_000).transform(cleanText).pipe(z.string().max(MAX_NAME)).optional(),
  description: z.string().max(10_000).transform(cleanLines).pipe(z.string().max(MAX_DESCRIPTION)).optional(),
  tags: z.array(tagName).max(MAX_TAGS_OF_IMAGE).optional(),
  favourite: z.boolean().optional(),
  createdAt: instant.optional(),
  takenAt: instant.nullable().optional(),
  camera: z.string().max(500).transform(cleanText).nullable().optional(),
})

type Details = z.output<typeof details>

const input = z.strictObject({
  items: z
    .array(details)
    .min(1)
    .max(MAX_IMAGES)
    .refine((items) => new Set(items.map(({ id }) => id)).size === items.length, invalid('repeatedImage')),
})

/** What became of one image. `too-many-tags`: all but its tags. */
interface RestoredItem {
  readonly id: string
  readonly outcome: 'done' | 'not-found' | 'too-many-tags'
}

/**
 * Gives images of the viewer's the details that an export has of them. It fills what is empty and replaces nothing: a title that is
 * still the default, no description, no date and camera. Tags and marks are added. An upload date only moves back, so a repeated
 * call changes nothing. Whoever moves dates can hide an image from the newest ones, so each such call is in the audit.
 */
export const restoreDetails = personalProcedure
  .meta({ ...limitsFor(input, libraryRestore), scope: 'manage', audit: 'account.import' })
  .input(input)
  .mutation(async ({ ctx, input: { items } }): Promise<{ items: readonly RestoredItem[] }> => {
    const { db } = ctx.app
    const { userId: ownerId } = ctx.viewer
    const { own, full } = await transact(db, async (tx) => {
      const locked = await lockImages(
        tx,
        items.map(({ id }) => id),
      )
      const own = items.filter(({ id }) => locked.get(id)?.ownerId === ownerId)
      const moved = await fillDetails(tx, own.map(toFilled))
      if (moved > 0) {
        const account = ownAccount(ctx.viewer)
        const act = { action: 'account.import', target: `user/${ownerId}`, account } as const
        await writeAudit(tx, toActor(ctx), { ...act, before: null, after: { images: moved } })
      }
      return { own: new Set(own.map(({ id }) => id)), full: await addTags(tx, ownerId, own) }
    })
    const marked = items.filter(({ id, favourite }) => favourite && own.has(id)).map(({ id }) => id)
    if (marked.length > 0) await markImages(db, ownerId, marked, true)
    const outcomeFor = (id: string) => (own.has(id) ? (full.has(id) ? 'too-many-tags' : 'done') : 'not-found')
    return { items: items.map(({ id }) => ({ id, outcome: outcomeFor(id) })) }
  })

const toFilled = ({ id, title, description, createdAt, takenAt, camera }: Details): FilledDetails => {
  return {
    id,
    title: title || null,
    description: description ?? '',
    createdAt: createdAt ?? null,
    takenAt: takenAt ?? null,
    camera: camera || null,
  }
}

/** Adds the tags, by images that get the same ones. Returns the images that would have too many. */
async function addTags(tx: Transaction, ownerId: string, items: readonly Details[]): Promise<ReadonlySet<string>> {
  const tagged = items.filter(({ tags = [] }) => tags.length > 0)
  const full = new Set<string>()
  if (tagged.length === 0) return full
  await lockTags(tx, ownerId)
  for (const group of Map.groupBy(tagged, ({ tags }) => JSON.stringify(tags)).values()) {
    const tags = await findOrCreateTags(tx, ownerId, group[0]?.tags ?? [])
    const [images, ids] = [group.map(({ id }) => id), tags.map(({ id }) => id)]
    const crowded = await findFull(tx, images, ids)
    for (const id of crowded) full.add(id)
    await insertPairs(
      tx,
      images.filter((id) => !crowded.has(id)),
      ids,
    )
  }
  return full
}
