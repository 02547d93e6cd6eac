// A process of storage-kills: checks that what earlier ones left is consistent, then uploads, reads through a cache, purges and
// sweeps until it kills itself before a given step. Exits with 0 if it reaches the end.
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { z } from 'zod'
import { openDatabase, type PrismaClient } from '#server/database/database.ts'
import { transact } from '#server/database/transact.ts'
import { keepGuestAccount, openGuestAccount, resizeGuestAccount } from '#server/guests/guest-accounts.ts'
import { purgeGuests } from '#server/guests/guest-purge.ts'
import { checkData } from '#server/images/maintenance/check-data.ts'
import { addVariants } from '#server/images/storing/add-variants.ts'
import { removeObject } from '#server/images/storing/object-removal.ts'
import { lockUserObjects, purgeRow, purgeUserRows } from '#server/images/storing/purge-rows.ts'
import { storeImage } from '#server/images/storing/store-image.ts'
import type { VerifiedFile } from '#server/images/storing/verified-file.ts'
import { type CachedStore, createCachedStore } from '#server/storage/cached.ts'
import { createDiskStore } from '#server/storage/disk.ts'
import { type ObjectStore, originalKey } from '#server/storage/object-store.ts'
import { gatedDatabase, gatedStore } from '../gated.ts'
import { lapseAll, makeFile, makeOwner, sweepAll } from './storage-pieces.ts'

const { dataDir, databaseUrl, killAt } = z
  .object({ dataDir: z.string(), databaseUrl: z.string().nullable(), killAt: z.number() })
  .parse(JSON.parse(process.argv[2] ?? ''))
/** Guests keep their images for longer than an upload may take. */
const GUEST_DAYS = 7
const journal = join(dataDir, 'journal')
const note = (what: 'have' | 'unsure' | 'gone', image: string) => appendFileSync(journal, `${what} ${image}\n`)

const database = await openDatabase({ dataDir, databaseUrl })
const store = await createDiskStore(join(dataDir, 'objects'))
let steps = 0
let isGated = false
const gate = () => {
  if (!isGated) return
  steps += 1
  if (steps === killAt) process.kill(process.pid, 'SIGKILL')
}
// The cache forgets an object after the store has deleted it, with a step in between.
const behindSteps = gatedStore(store, gate)
const cached = createCachedStore(
  { ...behindSteps, delete: (...given) => behindSteps.delete(...given).finally(gate) },
  { folder: join(dataDir, 'cache'), maxBytes: 1e6, trouble: (error) => fail(`The cache fails: ${error}`) },
)
await expectWhole(database.db, cached)
isGated = true
await work(gatedDatabase(database.db, gate, { inside: true }), cached)
isGated = false
await expectWhole(database.db, cached)
console.log(steps)
await cached.close()
await database.close()

function fail(sentence: string): never {
  throw new Error(sentence)
}

/** Removes what interrupted uploads of guests have left, as the job does once their hour is over, and asserts that nothing of them stays. */
async function purgeInterrupted(db: PrismaClient, store: ObjectStore): Promise<void> {
  const soon = { gt: new Date(), lt: new Date(Date.now() + 2 * 60 * 60 * 1_000) }
  await db.user.updateMany({ where: { guestUntil: soon }, data: { guestUntil: new Date(Date.now() - 60_000) } })
  const marked: string[] = []
  await purgeGuests({
    db,
    images: {
      lockUserImages: lockUserObjects,
      purgeUserImages: async (tx, userId, locked) => void marked.push(...(await purgeUserRows(tx, userId, locked))),
    },
  })
  for (const sha256 of marked) await removeObject(db, store, sha256)
  const left = await db.user.count({ where: { guestUntil: { not: null }, images: { none: {} } } })
  if (left > 0) fail(`${left} accounts of guests have no image`)
}

/** Asserts that acknowledged images exist, purged ones do not, and neither a sweep nor the cache leaves unneeded bytes. */
async function expectWhole(db: PrismaClient, cached: CachedStore): Promise<void> {
  await lapseAll(db)
  await purgeInterrupted(db, cached)
  await sweepAll(db, cached)
  const { findings } = await checkData({ db, store })
  if (findings.length > 0) throw new Error(`inconsistent: ${JSON.stringify(findings)}`)
  const lines = existsSync(journal) ? readFileSync(journal, 'utf8').trim().split('\n').filter(Boolean) : []
  const last = new Map(lines.map((line) => [line.split(' ')[1] ?? '', line.split(' ')[0]]))
  const images = await db.image.findMany({ select: { id: true, sha256: true } })
  const ids = new Set(images.map(({ id }) => id))
  for (const [id, state] of last) {
    if (state === 'have' && !ids.has(id)) throw new Error(`an acknowledged image is lost: ${id}`)
    if (state === 'gone' && ids.has(id)) throw new Error(`a purged image is back: ${id}`)
  }
  // The body ends without an error only if its bytes match its key.
  const hashes = new Set(images.map(({ sha256 }) => sha256))
  for (const sha256 of hashes) await buffer((await cached.open(originalKey(sha256))).body)
  const { objects } = cached.figures()
  if (objects > hashes.size) throw new Error(`the cache has ${objects} objects, but ${hashes.size} are needed`)
}

async function work(db: PrismaClient, store: ObjectStore): Promise<void> {
  const unneeded = async () => undefined
  const [one, two] = [await makeOwner(database.db), await makeOwner(database.db)]
  const [first, second, third] = [await makeFile(dataDir), await makeFile(dataDir), await makeFile(dataDir)]
  const kept = await upload(one, first)
  await follow(first)
  const others = await upload(two, first)
  await purge(others)
  await purge(kept)
  await removeObject(db, store, first.original.sha256)
  await upload(one, first)
  await purge(await upload(two, second))
  // Purged before its larger variants were made.
  await follow(second)
  await sweepAll(db, store)
  const last = await upload(two, second)
  await follow(second)
  note('unsure', last)
  const marked = await transact(db, async (tx) => purgeUserRows(tx, two, await lockUserObjects(tx, two)))
  note('gone', last)
  for (const sha256 of marked) await removeObject(db, store, sha256)
  await uploadAsGuest(third)

  /** The steps of a guest's upload (server/guests/upload-as-guest.ts); it is acknowledged with its last one. */
  async function uploadAsGuest(file: VerifiedFile): Promise<void> {
    const { size } = file.original
    const asked = { size, budget: { images: 1_000, bytes: 1e9 }, maxUploadBytes: 1e9, address: '203.0.113.7' }
    const account = await openGuestAccount(db, asked)
    await resizeGuestAccount(db, account, asked)
    const image = await storeFor(account, file)
    if (!(await transact(db, (tx) => keepGuestAccount(tx, account, GUEST_DAYS))))
      fail('the account of a guest has ended')
    note('have', image)
  }

  async function upload(ownerId: string, file: VerifiedFile): Promise<string> {
    const id = await storeFor(ownerId, file)
    note('have', id)
    await buffer((await store.open(originalKey(file.original.sha256))).body)
    return id
  }

  async function storeFor(ownerId: string, file: VerifiedFile): Promise<string> {
    const image = { ownerId, filename: 'x.png', title: 'x', wish: { visibility: 'link', ofKnown: 'stays' } } as const
    const early = { ...file, variants: file.variants.slice(0, 1), reserved: 3_000 }
    const stored = await storeImage({ db, store, siteQuota: null, unneeded }, early, image)
    if (stored.outcome !== 'stored') throw new Error(stored.outcome)
    return stored.image.id
  }

  /** Stores the variants that follow an answer. */
  async function follow({ original: { sha256 }, variants }: VerifiedFile): Promise<void> {
    await addVariants({ db, store, unneeded }, sha256, { variants, put: variants.slice(1), onlyDue: false })
  }

  async function purge(id: string): Promise<void> {
    note('unsure', id)
    const image = await database.db.image.update({ where: { id }, data: { trashedAt: new Date() } })
    if (!(await transact(db, (tx) => purgeRow(tx, image)))) throw new Error('not purged')
    note('gone', id)
  }
}
