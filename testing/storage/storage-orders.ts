import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '#server/database/database.ts'
import { listObjectKeys, removeObject } from '#server/images/storing/object-removal.ts'
import type { VerifiedFile } from '#server/images/storing/verified-file.ts'
import { inEveryOrder, inSomeOrders, type SteppedTask } from '../every-order.ts'
import { gatedDatabase, gatedStore } from '../gated.ts'
import { seededRandom } from '../random.ts'
import { isWhole, seed } from '../sampled.ts'
import { createMemoryStore } from './memory-store.ts'
import { sweepAll } from './storage-pieces.ts'
import { expectSound, makeScene, type Scene } from './storage-scene.ts'

type Kind = 'upload' | 'upload again' | 'purge' | 'remove' | 'sweep'
/** The initial state: an image in the trash, bytes without a row, or a row whose bytes are to be removed. */
type Before = 'trashed' | 'orphan' | 'marked'

interface Case {
  readonly before: Before
  readonly kinds: readonly Kind[]
  /** The image's variants, each an object with its own steps. */
  readonly variants: 0 | 1
  /** The number of orders. Any added or removed step changes it. */
  readonly orders: number
  /** How many random orders every run takes if all are too many. */
  readonly part?: number
}

/** Uploads, purges and sweeps of the same content in every order of their steps: transactions, puts, deletes, listings. */
export function keepsEveryOrder(name: string, cases: readonly Case[], openDatabase: () => Promise<Database>): void {
  let database: Database
  beforeAll(async () => {
    database = await openDatabase()
  })
  afterAll(() => database.close())

  test.each(cases)(
    `${name}: $kinds, starting with $before, with $variants variants, in any order`,
    async (each) => {
      const memory = createMemoryStore()
      await using scene = { ...(await makeScene(database.db)), store: memory.store }
      const cast = await prepareCast(scene, each)
      const order = {
        async scene() {
          memory.objects.clear()
          await scene.db.image.deleteMany()
          await scene.db.storedObject.deleteMany()
          await scene.db.user.updateMany({ data: { usedBytes: 0 } })
          return makeActors(scene, each, cast)
        },
        after: () => expectBytes(scene, memory.objects),
        async finish() {
          await scene.lapse()
          await sweepAll(scene.db, scene.store)
          const uploads = each.kinds.filter((kind) => kind.startsWith('upload')).length
          const kept = each.before === 'trashed' && !each.kinds.includes('purge') ? 1 : 0
          expect(await scene.db.image.count()).toBe(uploads + kept)
          await expectSound(scene, uploads + kept > 0 ? [cast.file.original.sha256] : [])
        },
      }
      if (each.part && !isWhole) await inSomeOrders(order, each.part, seededRandom(seed))
      else expect(await inEveryOrder(order)).toBe(each.orders)
    },
    600_000,
  )
}

/** The users in every order: the owner of the initial state, and one for each upload. */
interface Cast {
  readonly file: VerifiedFile
  readonly owner: string
  readonly uploaders: ReadonlyMap<Kind, string>
}

async function prepareCast(scene: Scene, { kinds, variants }: Case): Promise<Cast> {
  const whole = await scene.file()
  const uploaders = new Map<Kind, string>()
  for (const kind of kinds) uploaders.set(kind, await scene.owner())
  return { file: { ...whole, variants: whole.variants.slice(0, variants) }, owner: await scene.owner(), uploaders }
}

async function makeActors(
  scene: Scene,
  { before, kinds }: Case,
  { file, owner, uploaders }: Cast,
): Promise<SteppedTask[]> {
  const { sha256 } = file.original
  const image = await scene.upload(owner, file, { store: scene.store })
  if (before === 'trashed') await scene.db.image.updateMany({ data: { trashedAt: new Date() } })
  else expect(await scene.purge(image)).toBe(true)
  if (before === 'orphan') await scene.db.storedObject.deleteMany()
  return kinds.map((kind) => ({
    name: kind,
    run(gate) {
      // A read alone is not a step: later steps act on it, and read again.
      const db = gatedDatabase(scene.db, (step) => (step.endsWith('.findMany') ? undefined : gate(step)))
      const store = gatedStore(scene.store, gate)
      if (kind === 'sweep') return sweepAll(db, store)
      const pause = () => gate('wait', 'for-others')
      if (kind === 'remove') return removeObject(db, store, sha256)
      if (kind !== 'purge') return scene.upload(uploaders.get(kind) ?? '', file, { db, store, pause })
      return scene.purge(image, db).then(() => removeObject(db, store, sha256))
    },
  }))
}

/** Asserts that each image has its bytes. */
async function expectBytes({ db }: Scene, objects: ReadonlyMap<string, Buffer>): Promise<void> {
  const images = await db.storedObject.findMany({
    where: { images: { some: {} } },
    select: { sha256: true, state: true, variants: true },
  })
  for (const row of images) {
    expect(row.state).toBe('live')
    for (const key of listObjectKeys(row.sha256, row)) expect(objects.has(key)).toBe(true)
  }
}
