import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '#server/database/database.ts'
import { originalKey } from '#server/storage/object-store.ts'
import { openTempFolder } from '#server/storage/temp-folder.ts'
import { gatedDatabase, gatedStore } from '#testing/gated.ts'
import { makePool } from '#testing/images/decoder-pool.ts'
import { picture } from '#testing/images/pictures.ts'
import { openEmbeddedDatabase } from '#testing/sluice/embedded-database.ts'
import { expectSound, makeScene, type Scene } from '#testing/storage/storage-scene.ts'
import { hashFile } from '../storing/hash-file.ts'
import { cleanAgain } from './clean-again.ts'

let database: Database
beforeAll(async () => {
  database = await openEmbeddedDatabase()
})
afterAll(() => database.close())

class Killed extends Error {}

/** A picture as earlier rules stored it, with what the profile says of its maker. */
async function uploadOld(scene: Scene, seed: number) {
  const path = join(scene.folder, `old-${seed}`)
  const image = sharp(await picture({ format: 'png', width: 24, height: 16, seed }))
  await writeFile(path, await image.withIccProfile('p3').png().toBuffer())
  const file = { ...(await scene.file()), original: await hashFile(path) }
  const uploaded = await scene.upload(await scene.owner(), file)
  await scene.db.storedObject.update({ where: { sha256: uploaded.sha256 }, data: { cleaning: 0 } })
  return uploaded
}

test('loses nothing and leaves nothing when it is killed before any step', async () => {
  await using scene = await makeScene(database.db)
  await using decoder = await makePool()
  const temp = await openTempFolder(join(scene.folder, 'tmp'))
  const removals = { add: async () => undefined }
  const parts = { decoder: decoder.pool, temp, removals }
  const clean = async (sha256: string, gate: () => void) => {
    const [db, store] = [gatedDatabase(scene.db, gate, { inside: true }), gatedStore(scene.store, gate)]
    return cleanAgain({ ...parts, db, store }, sha256, new AbortController().signal)
  }
  const current = async (id: string) => (await scene.db.image.findUniqueOrThrow({ where: { id } })).sha256
  const expectReadable = async (id: string) => {
    const sha256 = await current(id)
    expect((await buffer((await scene.store.open(originalKey(sha256))).body)).length).toBeGreaterThan(0)
  }
  let killAt = 1
  for (let isKilled = true; isKilled; killAt += 1) {
    const image = await uploadOld(scene, killAt)
    let steps = 0
    const gate = () => {
      steps += 1
      if (steps >= killAt) throw new Killed()
    }
    const outcome = await clean(image.sha256, gate).catch((error: unknown) => error)
    isKilled = steps >= killAt
    if (isKilled) expect(outcome).toBeInstanceOf(Killed)
    await expectReadable(image.id)
    await scene.lapse()
    await scene.sweep()
    await expectReadable(image.id)
    if ((await current(image.id)) === image.sha256) await clean(image.sha256, () => undefined)
    expect(await current(image.id)).not.toBe(image.sha256)
    expect(await scene.removeMarked()).toEqual([])
    await expectSound(scene, [await current(image.id)])
    await scene.purge({ id: image.id, sha256: await current(image.id) })
    expect(await scene.removeMarked()).toEqual([])
    await expectSound(scene, [])
  }
  expect(killAt).toBeGreaterThan(15)
})
