import { afterAll, beforeAll, expect, test } from 'vitest'
import { behindProxy, read, uploadAccepted } from '#testing/http/image-client.ts'
import { picture } from '#testing/images/pictures.ts'
import { type Person, startApp, type TestApp } from '#testing/sluice/sluice-app.ts'
import { holdInMemory } from '#testing/storage/held-store.ts'

let served: TestApp
beforeAll(async () => {
  served = await startApp(behindProxy)
  if (!served.app.images.store.held) holdInMemory(served.app.images.store)
})
afterAll(() => served[Symbol.asyncDispose]())

async function readUsage(person: Person, id: string) {
  await served.app.usage.flush()
  return served.as(person).image.usage({ id })
}

async function readBytes(url: string, person?: Person | null, init?: RequestInit): Promise<number> {
  const answer = await read(url, person, init)
  expect(answer.ok).toBe(true)
  return (await answer.arrayBuffer()).byteLength
}

test('two owners of the same bytes each see the reads of their own image only', async () => {
  const [ada, bert] = [await served.person(), await served.person()]
  const bytes = await picture({ width: 900, height: 600, seed: 1 })
  const [one, other] = [await uploadAccepted(served, ada, bytes), await uploadAccepted(served, bert, bytes)]
  expect(one.url).not.toBe(other.url)
  expect(await readUsage(ada, one.id)).toMatchObject({ reads: 0, sent: 0, isExact: true })

  // A guest, twice more by the fast path, the owner, a variant, and a range; and of the other image a single read.
  const sent = [
    await readBytes(one.url),
    await readBytes(one.url),
    await readBytes(one.url),
    await readBytes(one.url, ada),
    await readBytes(`${one.url}?w=400`),
    await readBytes(one.url, null, { headers: { range: 'bytes=0-99' } }),
  ]
  const whole = await readBytes(other.url)
  const total = sent.reduce((sum, each) => sum + each, 0)
  const usage = await readUsage(ada, one.id)
  expect(usage).toMatchObject({ reads: 6, sent: total, isExact: true })
  expect(await readUsage(bert, other.id)).toMatchObject({ reads: 1, sent: whole })

  const today = await served.app.budgets.today()
  expect(usage.days).toHaveLength(30)
  expect(usage.days.at(-1)).toEqual({ day: today, reads: 6, sent: total, isExact: true })
  expect(usage.days.slice(0, -1).every(({ reads, sent }) => reads === 0 && sent === 0)).toBe(true)
  expect(usage.days[0]?.day).toBe(new Date(Date.parse(today) - 29 * 86_400_000).toISOString().slice(0, 10))

  await expect(served.as(bert).image.usage({ id: one.id })).rejects.toMatchObject({ code: 'FORBIDDEN' })
  await served.as(ada).image.update({ id: one.id, visibility: 'private' })
  await expect(served.as(bert).image.usage({ id: one.id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test('what sends no bytes is no read, and a zip is one of each of its images', async () => {
  const ada = await served.person()
  const image = await uploadAccepted(served, ada, await picture({ width: 64, height: 48, seed: 2 }))
  const etag = (await read(image.url, null, { method: 'HEAD' })).headers.get('etag') ?? ''
  for (const person of [null, ada]) {
    const unchanged = await read(image.url, person, { headers: { 'if-none-match': etag } })
    expect(unchanged.status).toBe(304)
  }
  expect((await read(image.url, null, { headers: { range: 'bytes=99999999-' } })).status).toBe(416)
  expect(await readUsage(ada, image.id)).toMatchObject({ reads: 0, sent: 0 })

  const { url } = await served.as(ada).image.downloadMany({ ids: [image.id] })
  const zip = await read(url ?? '', ada)
  await zip.arrayBuffer()
  expect(await readUsage(ada, image.id)).toMatchObject({ reads: 1 })
})

test('a day on which some images were not listed individually is not exact', async () => {
  const ada = await served.person()
  const { id } = await uploadAccepted(served, ada, await picture({ width: 64, height: 48, seed: 3 }))
  const day = new Date(await served.app.budgets.today())
  await served.app.db.imageUsageDay.create({ data: { day, image: 'others', reads: 1n } })
  const usage = await served.as(ada).image.usage({ id })
  expect(usage.isExact).toBe(false)
  expect(usage.days.map(({ isExact }) => isExact)).toEqual([...Array.from({ length: 29 }, () => true), false])
})
