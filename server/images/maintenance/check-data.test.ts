import { appendFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '#server/database/database.ts'
import { openEmbeddedDatabase } from '#testing/sluice/embedded-database.ts'
import { expectSound, makeScene, type Scene } from '#testing/storage/storage-scene.ts'
import type { VerifiedFile } from '../storing/verified-file.ts'
import { checkData } from './check-data.ts'
import { nameFinding } from './name-finding.ts'
import { repairData } from './repair-data.ts'

let database: Database
beforeAll(async () => {
  database = await openEmbeddedDatabase()
})
afterAll(() => database.close())

async function library(scene: Scene, count: number): Promise<VerifiedFile[]> {
  const owner = await scene.owner()
  const files: VerifiedFile[] = []
  for (let file = 0; file < count; file += 1) files.push(await scene.file())
  for (const file of files) await scene.upload(owner, file)
  return files
}

const objectPath = ({ folder }: Scene, sha256: string) =>
  join(folder, 'objects', sha256.slice(0, 2), sha256.slice(2, 4), sha256)

test('reads every byte, and finds nothing in sound data', async () => {
  await using scene = await makeScene(database.db)
  await library(scene, 3)
  const progress: unknown[] = []
  const result = await checkData({ ...scene, progress: (rows, of) => progress.push([rows, of]) })
  expect(result).toEqual({ read: 9, readBytes: 22_500, findings: [] })
  expect(progress).toEqual([
    [1, 3],
    [2, 3],
    [3, 3],
  ])
})

test('reports missing, corrupt, wrongly sized, orphaned and miscounted data, and changes nothing', async () => {
  await using scene = await makeScene(database.db)
  const [missing, corrupt, longer, removed, forgotten] = await library(scene, 5)
  if (!missing || !corrupt || !longer || !removed || !forgotten) return expect.unreachable()
  const [small] = removed.variants
  await rm(objectPath(scene, missing.original.sha256))
  await writeFile(objectPath(scene, corrupt.original.sha256), Buffer.alloc(5_000))
  await appendFile(objectPath(scene, longer.original.sha256), 'x')
  await scene.purge(await scene.db.image.findFirstOrThrow({ where: { sha256: removed.original.sha256 } }))
  await scene.db.storedObject.delete({ where: { sha256: removed.original.sha256 } })
  await scene.db.image.deleteMany({ where: { sha256: forgotten.original.sha256 } })
  await scene.db.user.updateMany({ data: { usedBytes: { increment: 7 } } })
  const before = await scene.db.image.findMany()
  const { findings } = await checkData(scene)
  expect(findings.map(({ kind }) => kind).sort()).toEqual(
    ['corrupt', 'corrupt', 'miscounted', 'missing', 'no image', 'orphan', 'orphan', 'orphan'].sort(),
  )
  expect(findings).toContainEqual({ kind: 'missing', key: missing.original.sha256 })
  expect(findings).toContainEqual({ kind: 'orphan', key: expect.stringContaining(`.${small?.sha256}.`), size: 500 })
  expect(findings).toContainEqual({
    ...{ kind: 'miscounted', userId: expect.any(String) },
    ...{ used: 20_007, expected: 15_000 },
  })
  const named = await Promise.all(findings.map((finding) => nameFinding(scene.db, finding)))
  const image = await scene.db.image.findFirstOrThrow({
    where: { sha256: missing.original.sha256 },
    include: { owner: true },
  })
  const { username } = image.owner
  expect(named.flat()).toContain(`image ${image.id} ${JSON.stringify(image.title)} of ${username}`)
  expect(named.flat()).toContain(`account ${username}`)
  expect(await scene.db.image.findMany()).toEqual(before)
})

test('a repair recounts and deletes what no image needs, and changes no image', async () => {
  await using scene = await makeScene(database.db)
  const [kept, removed, marked] = await library(scene, 3)
  if (!kept || !removed || !marked) return expect.unreachable()
  for (const { original } of [removed, marked]) {
    await scene.purge(await scene.db.image.findFirstOrThrow({ where: { sha256: original.sha256 } }))
  }
  await scene.db.storedObject.delete({ where: { sha256: removed.original.sha256 } })
  await scene.db.user.updateMany({ data: { usedBytes: 0 } })
  const { findings } = await checkData(scene)
  expect(await repairData(scene, findings)).toEqual({
    recounted: 1,
    'orphans removed': 3,
    'marked bytes removed': 1,
    'variants left to be made anew': 0,
  })
  expect((await checkData(scene)).findings).toEqual([])
  await expectSound(scene, [kept.original.sha256])
})

test('does not report an object deleted while it is read', async () => {
  await using scene = await makeScene(database.db)
  const [file] = await library(scene, 1)
  const store = {
    ...scene.store,
    open: async (...given: Parameters<typeof scene.store.open>) => {
      const image = await scene.db.image.findFirst({ where: { sha256: file?.original.sha256 ?? '' } })
      if (image) await scene.purge(image)
      expect(await scene.removeMarked()).toEqual([])
      return scene.store.open(...given)
    },
  }
  expect((await checkData({ db: scene.db, store })).findings).toEqual([])
})
