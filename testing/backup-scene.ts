import { createHash, randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { loadConfig } from '#server/config.ts'
import type { PrismaClient } from '#server/database/database.ts'
import { storeImage } from '#server/images/storing/store-image.ts'
import { restoreBackup } from '#server/owner/backup/restore-backup.ts'
import { takeSnapshot } from '#server/owner/backup/snapshot.ts'
import { openBackup } from '#server/owner/backup/write-backup.ts'
import { type Opened, openDirectly } from '#server/owner/open-directly.ts'
import type { ObjectStore } from '#server/storage/object-store.ts'
import { layEmbeddedDatabase } from './embedded-database.ts'
import { makeFile, makeOwner } from './storage-pieces.ts'

/** A separate database and object store, as a command opens them. Deleted on disposal. */
export interface DataPlace extends Opened {
  readonly dataDir: string
}

/** Opens them by these settings; by default embedded and on disk. */
export async function openPlace(environment: Readonly<Record<string, string>> = {}): Promise<DataPlace> {
  await using made = new AsyncDisposableStack()
  const dataDir = await mkdtemp(join(tmpdir(), 'sluice-place-'))
  made.defer(() => rm(dataDir, { recursive: true }))
  if (!environment.DATABASE_URL) await layEmbeddedDatabase(dataDir)
  const config = await loadConfig({ SLUICE_DATA: dataDir, ...environment })
  const opened = made.use(await openDirectly(config, 'same-or-none', () => undefined))
  const toClose = made.move()
  return { ...opened, dataDir, [Symbol.asyncDispose]: () => toClose.disposeAsync() }
}

/** Writes a backup of a place to `file`. */
export async function backUp(place: Pick<DataPlace, 'db' | 'store' | 'temp'>, file: string): Promise<void> {
  const { body, ended } = await openBackup(place)
  await pipeline(body, createWriteStream(file))
  await ended
}

/** Restores a backup into a place that stays open. */
export function restoreTo(place: DataPlace, file: string) {
  const open = async () => ({ ...place, [Symbol.asyncDispose]: async () => undefined })
  return restoreBackup(file, { open, progress: () => undefined })
}

/** Stores an image of random bytes with two variants. */
export async function storeOne(
  { db, store, dataDir }: DataPlace,
  ownerId: string,
): Promise<{ id: string; sha256: string }> {
  const folder = join(dataDir, 'files')
  await mkdir(folder, { recursive: true })
  const image = {
    ownerId,
    filename: 'x.png',
    title: 'Ärger 🏝 "\\\u2028\n\t',
    wish: { visibility: 'link', ofKnown: 'stays' },
  } as const
  const unneeded = async () => undefined
  const stored = await storeImage({ db, store, siteQuota: null, unneeded }, await makeFile(folder), image)
  if (stored.outcome !== 'stored') throw new Error(stored.outcome)
  return stored.image
}

/** Inserts rows into every table, with values that are easily lost on the way, and this many images. */
export async function fill(place: DataPlace, images: number): Promise<void> {
  const { db } = place
  const [owner, other] = [await makeOwner(db, 1_000_000), await makeOwner(db)]
  await db.user.update({ where: { id: other }, data: { bannedAt: new Date(), quotaBytes: 2n ** 62n + 1n } })
  const stored = await Array.fromAsync({ length: images }, () => storeOne(place, owner))
  const [first] = stored
  if (first) {
    await db.image.update({ where: { id: first.id }, data: { trashedAt: new Date(), visibility: 'private' } })
    await db.deletionLink.create({ data: { linkHash: hashText('link'), imageId: first.id } })
    await db.objectUsageDay.create({ data: { day: DAY, sha256: first.sha256, sent: 2n ** 53n + 1n } })
  }
  const expiresAt = new Date(Date.now() + 1_000_000)
  await db.session.create({ data: { userId: owner, userAgent: 'x', address: '::1', expiresAt } })
  const scopes = ['upload', 'a "b" {c}, \\d', '']
  const tokenHash = randomBytes(32).toString('hex')
  await db.apiToken.create({ data: { userId: owner, name: 'NULL', tokenHash, ending: 'abcd', scopes } })
  await db.invite.create({ data: { codeHash: hashText('code'), usesLeft: 3, expiresAt } })
  const change = { changedAt: new Date(), changedBy: "O'Hara" }
  const terms = { a: [1.5, null, 1e21, 'ü\u2028'], b: { c: false } }
  await db.limitOverride.create({ data: { ruleSet: 'x', target: 'all', terms, note: '', ...change } })
  const entry = { at: new Date(), actorId: owner, actorName: 'a', action: 'b', requestId: 'c' }
  await db.auditEntry.createMany({ data: ['d', 'e'].map((target) => ({ ...entry, target, after: terms })) })
  await db.budget.create({ data: { period: 'day', unit: 'money', limit: 2n ** 60n + 3n, ...change } })
  await db.spendingTerms.create({ data: { freeTier: true } })
  await db.budgetEvent.create({
    data: { period: 'day', unit: 'money', start: DAY, limit: 5n, state: 'near', used: 4n, at: new Date() },
  })
  await db.spending.create({ data: { period: 'day', start: DAY, writes: 2n ** 53n + 1n, nanos: -1n } })
  await db.usageDay.create({ data: { day: DAY, procedure: 'x', subject: 'y', reads: 2n ** 53n + 1n } })
  await db.accessRule.create({ data: { cidr: '192.0.2.0/24', verdict: 'deny', ...change } })
  await db.hotlinkRule.create({ data: { id: 1, terms, ...change } })
  await db.siteSettings.create({ data: { id: 1, terms: { SLUICE_NAME: 'ü' }, version: 3, ...change } })
  const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte)
  const icon = { hash: 'a'.repeat(32), name: 'logo', mime: 'image/png', width: 1, height: 1, createdAt: new Date() }
  await db.siteImage.create({ data: { ...icon, bytes } })
}

/** A day on which no test spends anything, and recent enough not to be deleted. */
const DAY = new Date('2101-02-03')

const hashText = (text: string): string => createHash('sha256').update(text).digest('hex')

/** All rows as text, in an order independent of their storage, without today's requests to a store. */
export async function readRows(db: PrismaClient): Promise<Record<string, readonly string[]>> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-rows-'))
  try {
    const { tables } = await takeSnapshot(db, folder)
    const rows = tables.map(async ({ name }) => {
      const lines = (await readFile(join(folder, `${name}.jsonl`), 'utf8')).split('\n').sort()
      const others = lines.filter((line) => !/"admin\.(?:backup|restore)"/.test(line))
      return [name, isMetered(name) ? lines.filter((line) => line.includes('"2101-02-03"')) : others] as const
    })
    return Object.fromEntries(await Promise.all(rows))
  } finally {
    await rm(folder, { recursive: true })
  }
}

const isMetered = (table: string): boolean => ['Spending', 'UsageDay', 'ObjectUsageDay'].includes(table)

/** The keys of all objects, in order. */
export const keysOfStore = async (store: ObjectStore): Promise<readonly string[]> =>
  (await Array.fromAsync(store.list(''), ({ key }) => key)).sort()
