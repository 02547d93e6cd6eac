import { expect, test } from 'vitest'
import { expectSound, type Scene } from './storage-scene.ts'

/** With any number of concurrent uploads, a quota is never exceeded, and everything that fits is stored. */
export function keepsQuota(name: string, open: () => Promise<Scene>): void {
  test(`${name}: of fifty different concurrent images with room for one, exactly one is stored, and nothing else is left`, async () => {
    await using scene = await open()
    const files = await Promise.all(Array.from({ length: 50 }, () => scene.file()))
    const one = await scene.owner((files[0]?.original.size ?? 0) * 2 - 1)
    const outcomes = await Promise.all(
      files.map((file) =>
        scene.upload(one, file).then(
          ({ sha256 }) => sha256,
          (error: Error) => error.message,
        ),
      ),
    )
    const taken = outcomes.filter((outcome) => outcome !== 'over-quota')
    expect(taken).toHaveLength(1)
    expect(await scene.removeMarked()).toEqual([])
    await expectSound(scene, taken)
  })

  test(`${name}: fifty uploads of an image that just fits are one image, counted once, and none is refused`, async () => {
    await using scene = await open()
    const file = await scene.file()
    const { size, sha256 } = file.original
    const one = await scene.owner(size)
    const same = await Promise.all(Array.from({ length: 50 }, () => scene.upload(one, file)))
    expect(new Set(same.map(({ id }) => id)).size).toBe(1)
    expect(await scene.db.user.findUnique({ where: { id: one }, select: { usedBytes: true } })).toEqual({
      usedBytes: BigInt(size),
    })
    await expectSound(scene, [sha256])
    await scene.purge({ id: same[0]?.id ?? '', sha256 })
    expect(await scene.removeMarked()).toEqual([])
    await expectSound(scene, [])
  })

  test(`${name}: the quota is the user's own or the site's; the trash counts, purged images do not`, async () => {
    await using scene = await open()
    const [first, second] = [await scene.file(), await scene.file()]
    const { size } = first.original
    const [bound, free] = [await scene.owner(), await scene.owner(2 * size)]
    const parts = { siteQuota: 2 * size - 1 }
    const image = await scene.upload(bound, first, parts)
    await scene.db.image.updateMany({ data: { trashedAt: new Date() } })
    await expect(scene.upload(bound, second, parts)).rejects.toThrow('over-quota')
    expect(await scene.upload(bound, first, parts)).toMatchObject({ id: image.id, trashedAt: null })
    await scene.upload(free, first, parts)
    await scene.upload(free, second, parts)
    await scene.purge(image)
    await scene.upload(bound, second, parts)
    expect(await scene.removeMarked()).toEqual([])
    await expectSound(scene, [first.original.sha256, second.original.sha256].sort())
  })
}
