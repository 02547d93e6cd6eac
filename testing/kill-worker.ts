// A process of storage-kills: looks whether what earlier ones left is whole, then uploads, purges and sweeps until it
// kills itself before the step it was told. Exits with 0 when it came to the end.
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { openDatabase, type PrismaClient } from '#server/database/database.ts'
import { transact } from '#server/database/transact.ts'
import { removeObject } from '#server/images/storing/object-removal.ts'
import { lockObjectsOf, purgeRow, purgeRowsOf } from '#server/images/storing/purge-rows.ts'
import { storeImage, type VerifiedFile } from '#server/images/storing/store-image.ts'
import { checkData } from '#server/images/upkeep/check-data.ts'
import { createDiskStore } from '#server/storage/disk.ts'
import type { ObjectStore } from '#server/storage/object-store.ts'
import { gatedDatabase, gatedStore } from './gated.ts'
import { lapseAll, makeFile, makeOwner, sweepAll } from './storage-pieces.ts'

const { dataDir, databaseUrl, killAt } = z
  .object({ dataDir: z.string(), databaseUrl: z.string().nullable(), killAt: z.number() })
  .parse(JSON.parse(process.argv[2] ?? ''))
const journal = join(dataDir, 'journal')
const note = (what: 'have' | 'unsure' | 'gone', image: string) => appendFileSync(journal, `${what} ${image}\n`)

const database = await openDatabase({ dataDir, databaseUrl })
const store = await createDiskStore(join(dataDir, 'objects'))
await expectWhole(database.db, store)
let steps = 0
const gate = () => {
  steps += 1
  if (steps === killAt) process.kill(process.pid, 'SIGKILL')
}
await work(gatedDatabase(database.db, gate, { inside: true }), gatedStore(store, gate))
await expectWhole(database.db, store)
console.log(steps)
await database.close()

/** What was acknowledged is there, what was purged is not, and a sweep leaves nothing that nobody needs. */
async function expectWhole(db: PrismaClient, store: ObjectStore): Promise<void> {
  await lapseAll(db)
  await sweepAll(db, store)
  const { findings } = await checkData({ db, store })
  if (findings.length > 0) throw new Error(`Not whole: ${JSON.stringify(findings)}`)
  const lines = existsSync(journal) ? readFileSync(journal, 'utf8').trim().split('\n').filter(Boolean) : []
  const last = new Map(lines.map((line) => [line.split(' ')[1] ?? '', line.split(' ')[0]]))
  const ids = new Set((await db.image.findMany({ select: { id: true } })).map(({ id }) => id))
  for (const [id, state] of last) {
    if (state === 'have' && !ids.has(id)) throw new Error(`An acknowledged image is lost: ${id}`)
    if (state === 'gone' && ids.has(id)) throw new Error(`A purged image is back: ${id}`)
  }
}

async function work(db: PrismaClient, store: ObjectStore): Promise<void> {
  const [one, two] = [await makeOwner(database.db), await makeOwner(database.db)]
  const [first, second] = [await makeFile(dataDir), await makeFile(dataDir)]
  const kept = await upload(one, first)
  const others = await upload(two, first)
  await purge(others)
  await purge(kept)
  await removeObject(db, store, first.original.sha256)
  await upload(one, first)
  await purge(await upload(two, second))
  await sweepAll(db, store)
  const last = await upload(two, second)
  note('unsure', last)
  const marked = await transact(db, async (tx) => purgeRowsOf(tx, two, await lockObjectsOf(tx, two)))
  note('gone', last)
  for (const sha256 of marked) await removeObject(db, store, sha256)

  async function upload(ownerId: string, file: VerifiedFile): Promise<string> {
    const image = { ownerId, filename: 'x.png', title: 'x', visibility: 'link' } as const
    const stored = await storeImage({ db, store, siteQuota: null, unneeded: async () => undefined }, file, image)
    if (stored.outcome !== 'stored') throw new Error(stored.outcome)
    note('have', stored.image.id)
    return stored.image.id
  }

  async function purge(id: string): Promise<void> {
    note('unsure', id)
    const image = await database.db.image.update({ where: { id }, data: { trashedAt: new Date() } })
    if (!(await transact(db, (tx) => purgeRow(tx, image)))) throw new Error('not purged')
    note('gone', id)
  }
}
