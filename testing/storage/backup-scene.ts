import { createHash, randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { loadConfig } from '#server/config.ts'
import type { PrismaClient } from '#server/database/database.ts'
import { sealSecret } from '#server/identity/seal.ts'
import { storeImage } from '#server/images/storing/store-image.ts'
import { readBackup } from '#server/owner/backup/read-backup.ts'
import { restoreBackup } from '#server/owner/backup/restore-backup.ts'
import { takeSnapshot } from '#server/owner/backup/snapshot.ts'
import { openBackup } from '#server/owner/backup/write-backup.ts'
import { type Opened, openDirectly } from '#server/owner/open-directly.ts'
import type { ObjectStore } from '#server/storage/object-store.ts'
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
  const opened = made.use(await openPlaceIn(dataDir, environment))
  const toClose = made.move()
  return { ...opened, [Symbol.asyncDispose]: () => toClose.disposeAsync() }
}

/** Opens them in a folder that stays. */
export async function openPlaceIn(
  dataDir: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<DataPlace> {
  const config = await loadConfig({ SLUICE_DATA: dataDir, ...environment })
  return { ...(await openDirectly(config, 'same-or-none', () => undefined)), dataDir }
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
  return restoreBackup((reader) => readBackup(file, reader), {
    open,
    secret: 'another secret',
    origin: 'https://images.example.org',
    progress: () => undefined,
  })
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
    await db.imageUsageDay.create({ data: { day: DAY, image: first.id, reads: 2n ** 53n + 1n } })
    await arrange(
      db,
      owner,
      stored.map(({ id }) => id),
    )
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

/** Gives an account everything that it can be proven with. */
async function fillFactors(db: PrismaClient, userId: string): Promise<void> {
  const sealedSecret = sealSecret({ secret: 'another secret' }, 'JBSWY3DPEHPK3PXP', `totp/${userId}`)
  await db.totpFactor.create({ data: { userId, sealedSecret, lastUsedStep: 2 ** 31 - 1 } })
  await db.recoveryCode.create({ data: { userId, codeHash: hashText('code'), usedAt: new Date(10) } })
  const publicKey = Uint8Array.from({ length: 256 }, (_, byte) => byte)
  const passkey = { credentialId: 'credential', publicKey, counter: 2n ** 32n - 1n, transports: ['usb', 'hybrid'] }
  await db.passkey.create({ data: { userId, ...passkey, name: '\u202eÄ "\\{}\u2028' } })
  await db.linkedIdentity.create({
    data: { userId, issuer: 'https://id.example.org', subject: 'a"b', email: 'a@example.org' },
  })
  const sealedClientSecret = sealSecret({ secret: 'another secret' }, 'a client secret', 'oidc/one')
  await db.oidcProvider.create({
    data: {
      ...{ name: 'one', issuer: 'https://id.example.org', clientId: 'a"b', sealedSecret: sealedClientSecret },
      ...{ scopes: 'openid', label: '\u202eÄ "\\{}\u2028', opensAccounts: true, linksByEmail: false },
      ...{ secondFactor: 'claimed', endsSession: true, isEnabled: true, position: 3, version: 4 },
    },
  })
  const address = { email: 'Ada@example.org', emailKey: 'ada@example.org', emailVerifiedAt: new Date(11) }
  await db.user.update({ where: { id: userId }, data: address })
}

/** Puts images into albums, tags, favourites and shares, and gives their owner a picture and a saved search. */
async function arrange(db: PrismaClient, ownerId: string, images: readonly string[]): Promise<void> {
  const [imageId = ''] = images
  const text = '\u202eÄ "\\{}\u2028'
  const change = { createdAt: new Date(0), changedAt: new Date(1) }
  const about = { ownerId, title: text, description: 'a\nb', order: 'oldest', visibility: 'link' } as const
  const album = await db.album.create({
    data: { ...about, ...change, slug: hashText('album').slice(22), coverId: imageId },
  })
  const places = images.map((imageId, index) => ({ albumId: album.id, imageId, rank: `a${9 - index}` }))
  await db.albumImage.createMany({ data: places })
  const tag = await db.tag.create({ data: { ownerId, name: text, nameKey: text } })
  await db.imageTag.createMany({ data: images.map((imageId) => ({ tagId: tag.id, imageId })) })
  await db.favourite.create({ data: { userId: ownerId, imageId } })
  const details = {
    description: text,
    takenAt: new Date(-1),
    camera: text,
    createdAt: new Date(2),
    uploadSha256: hashText('heic'),
  }
  await db.image.update({ where: { id: imageId }, data: details })
  await db.savedView.create({ data: { userId: ownerId, name: text, terms: { query: { album: album.id, text } } } })
  const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte)
  await db.userPicture.create({ data: { userId: ownerId, hash: hashText('picture'), bytes } })
  await db.user.update({ where: { id: ownerId }, data: { displayName: text, pictureHash: hashText('picture') } })
  await fillFactors(db, ownerId)
  await db.profile.create({ data: { userId: ownerId, name: 'ada', line: text, isOpen: true } })
  const share = await db.share.create({
    data: {
      ...{ ownerId, tokenHash: hashText('token'), sealedToken: 'sealed', title: text, passwordHash: '$argon2id$' },
      ...{ expiresAt: new Date(3), maxViews: 5, views: 4, bytesPerDay: 2n ** 53n + 1n },
      images: { create: { imageId, position: 0 } },
    },
  })
  await db.shareDay.create({
    data: { shareId: share.id, day: DAY, requests: 2n ** 53n + 1n, visitors: bytes, nearAt: new Date(4) },
  })
  const entries = { create: { reporter: '203.0.113.7', at: new Date(7), reason: 'spam', shareId: share.id } }
  const guest = { username: 'Guest', usernameKey: 'guest:1', passwordHash: '', guestAddress: '203.0.113.7' }
  await db.user.create({ data: { ...guest, guestUntil: new Date(8) } })
  await db.report.create({ data: { imageId, openedAt: new Date(7), lastAt: new Date(7), entries } })
  await db.device.create({
    data: { userId: ownerId, createdAt: new Date(), lastUsedAt: new Date(), expiresAt: new Date() },
  })
  const link = { linkHash: hashText('one-time'), purpose: 'password', userId: ownerId }
  await db.oneTimeLink.create({ data: { ...link, createdAt: new Date(5), expiresAt: new Date(6) } })
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
      const text = await readFile(join(folder, `${name}.jsonl`), 'utf8')
      // What an image is filed under is a set, which triggers write in the order of restored rows.
      const lines = text
        .replace(/(?<=")\{[0-9a-f,-]{36,}\}(?=")/g, (set) => `{${set.slice(1, -1).split(',').sort()}}`)
        .split('\n')
        .sort()
      const others = lines.filter((line) => !/"admin\.(?:backup|restore)"/.test(line))
      return [name, isMetered(name) ? lines.filter((line) => line.includes('"2101-02-03"')) : others] as const
    })
    return Object.fromEntries(await Promise.all(rows))
  } finally {
    await rm(folder, { recursive: true })
  }
}

const isMetered = (table: string): boolean =>
  ['Spending', 'UsageDay', 'ObjectUsageDay', 'ImageUsageDay'].includes(table)

/** The keys of all objects, in order. */
export const keysOfStore = async (store: ObjectStore): Promise<readonly string[]> =>
  (await Array.fromAsync(store.list(''), ({ key }) => key)).sort()
