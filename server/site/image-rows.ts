import type { PrismaClient, Transaction } from '#server/database/database.ts'
import { transact } from '#server/database/transact.ts'
import { type BrandKind, type BrandRendering, renderingsByKind } from '#server/images/brand.ts'
import type { ReceivedBrand } from '#server/images/uploading/receive-rendered.ts'
import { readSettingsRow } from './settings-row.ts'
import { type SiteImage, siteImage } from './site-image.ts'

/*
 * The few small files of the logo and the icon are rows of the database, not objects of the store: they cost no bucket request,
 * count against no quota, and are in every backup. An upload is no setting yet; one that never becomes one, or is one no more, is
 * deleted after a day, when undo and cached pages are past.
 */

const DAY_MS = 24 * 60 * 60_000

/** Stores the renderings, and deletes those that nobody uses. */
export async function insertImage(
  db: PrismaClient,
  { sha256, main, others }: Omit<ReceivedBrand, 'outcome'>,
): Promise<SiteImage> {
  const hash = sha256.slice(0, 32)
  const createdAt = new Date()
  await transact(db, async (tx) => {
    const { texts } = await readSettingsRow(tx)
    const used = [texts.logo, texts.icon].flatMap((text) => siteImage.safeParse(text).data?.hash ?? [])
    const before = new Date(createdAt.getTime() - DAY_MS)
    await tx.siteImage.deleteMany({ where: { createdAt: { lt: before }, hash: { notIn: [...used, hash] } } })
    for (const { name, bytes, width, height } of [main, ...others]) {
      const data = { mime: 'image/png', width, height, createdAt, bytes: new Uint8Array(bytes) }
      const where = { hash_name: { hash, name } }
      await tx.siteImage.upsert({ where, create: { hash, name, ...data }, update: { createdAt } })
    }
  })
  return { hash, width: main.width, height: main.height }
}

/** Whether a setting's image has been uploaded, as that kind. */
export async function hasImage(tx: Transaction, kind: BrandKind, image: SiteImage): Promise<boolean> {
  return (await tx.siteImage.count({ where: { ...image, name: renderingsByKind[kind].main } })) > 0
}

export interface SiteImageFile {
  readonly mime: string
  readonly bytes: Uint8Array
  readonly createdAt: Date
}

export function readImageFile(db: PrismaClient, hash: string, name: BrandRendering): Promise<SiteImageFile | null> {
  const select = { mime: true, bytes: true, createdAt: true }
  return db.siteImage.findUnique({ where: { hash_name: { hash, name } }, select })
}
