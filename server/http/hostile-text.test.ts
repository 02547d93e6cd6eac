import { expect, test, vi } from 'vitest'
import { isObjectKey } from '#server/storage/object-store.ts'
import { behindProxy, read, uploadAccepted } from '#testing/http/image-client.ts'
import { picture } from '#testing/images/pictures.ts'
import { jobsDone } from '#testing/jobs/jobs-done.ts'
import { startApp } from '#testing/sluice/sluice-app.ts'

const NAMES = [
  'a?x=1&y=2#z.png',
  '..%2f..%2fsecret.png',
  '../../../etc/passwd',
  'a b+c;d=e,f:g@h.png',
  '%00.png',
  '\u202egpj.exe',
]

test('requests only hashes from the store, whatever users write', async () => {
  await using served = await startApp(behindProxy)
  const owner = await served.person()
  const { store } = served.app.images
  const asked = [vi.spyOn(store, 'put'), vi.spyOn(store, 'open'), vi.spyOn(store, 'delete')]
  const sized = vi.spyOn(store, 'readSize')
  for (const [at, name] of NAMES.entries()) {
    const image = await uploadAccepted(
      served,
      owner,
      await picture({ width: 64, height: 48, seed: at, format: 'png' }),
      {
        name,
      },
    )
    await served.as(owner).image.update({ id: image.id, title: name })
    const link = (await served.as(owner).image.download({ id: image.id })).url
    // URLs consist of generated parts alone: a slug, an extension, a token.
    expect(image.url).toMatch(/\/i\/[\w-]{22}\.png$/)
    expect(link).toMatch(/\/i\/[\w-]{22}\.png\?download=[\w-]+$/)
    for (const url of [image.url, image.thumbnailUrl, link, `${image.url}?w=400&name=${encodeURIComponent(name)}`]) {
      expect((await read(url)).status).toBe(200)
    }
    await served.as(owner).image.delete({ id: image.id })
    await served.as(owner).image.purge({ id: image.id })
    expect((await read(image.url)).status).toBe(404)
  }
  await jobsDone(served.app)
  const keys = [...asked, sized].flatMap(({ mock }) => mock.calls.map(([key]) => key))
  expect(asked.every(({ mock }) => mock.calls.length >= NAMES.length)).toBe(true)
  expect(keys.filter((key) => !isObjectKey(key))).toEqual([])
})
