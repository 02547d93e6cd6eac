import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { APIRequestContext } from '@playwright/test'
import { TRPCClientError } from '@trpc/client'
import sharp from 'sharp'
import { z } from 'zod'
import { picture } from '../testing/images/pictures.ts'
import { countedByRedis } from '../testing/limits/counted-by-redis.ts'
import { api, expect, signIn, type test } from './fixtures.ts'

const MINUTE_MS = 60_000

const refused = z.object({ limit: z.object({ ruleSet: z.string(), rule: z.string(), retryAfterMs: z.number() }) })

/** The way of an image from a page and back, over any stores. Each `seed` gives other pictures. */
export function testJourney(it: typeof test, seed: number): void {
  it('pictures uploaded on the page are downloaded pixel for pixel, without their metadata', async ({
    page,
    createAccount,
  }) => {
    it.setTimeout(240_000)
    await using photos = await photographs(seed)
    await signIn(page, await createAccount())
    await page.goto('/')
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles([...photos.files])
    await expect(page.getByText(`${photos.files.length} images uploaded`, { exact: true }).first()).toBeVisible({
      timeout: 120_000,
    })

    const { items } = await api(page.request).image.list.query({ limit: 100 })
    expect(items.map((item) => item.filename).sort()).toEqual(photos.files.map((file) => basename(file)).sort())
    for (const item of items) {
      await page.goto(`/image/${item.slug}`)
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: /^Download/ }).click(),
      ])
      const sent = await readFile(photos.files.find((file) => basename(file) === item.filename) ?? '')
      const kept = await readFile(await download.path())
      expect(download.suggestedFilename()).toBe(item.filename)
      expect([sha256(kept), kept.length]).toEqual([item.sha256, item.size])
      expect(sha256(await readPixels(kept)), item.filename ?? '').toBe(sha256(await readPixels(sent)))
      expect(kept.includes(secret)).toBe(false)
      expect(await hasPosition(kept)).toBe(false)
    }
    const bytes = items.reduce((sum, item) => sum + item.size, 0)
    console.log(`    ${items.length} pictures, ${bytes} bytes, each with the pixels it was sent with`)
  })

  for (const kind of ['user', 'shared admin'] as const) {
    const elsewhere = kind === 'user' ? 'is refused' : 'passes'
    it(`a loop of downloads by a ${kind} is refused by a named rule; another network ${elsewhere}`, async ({
      page,
      sluice,
      createAccount,
      playwright,
    }) => {
      it.setTimeout(120_000)
      const isShared = kind === 'shared admin'
      const { image, passes, refusal, there } = await countedByRedis([sluice], async () => {
        await page.context().clearCookies()
        await signIn(page, await createAccount({ role: isShared ? 'admin' : 'user', shared: isShared }))
        const bytes = await picture({ seed: Math.floor(Math.random() * 1_000_000) })
        const image = await api(page.request).image.upload.mutate(new File([new Uint8Array(bytes)], 'looped.jpg'))
        const cookie = (await page.context().cookies()).map((each) => `${each.name}=${each.value}`).join('; ')
        const sessionAt = (address: string) =>
          playwright.request.newContext({
            baseURL: sluice.origin,
            extraHTTPHeaders: { cookie, 'x-forwarded-for': address },
          })
        const [first, second] = [await sessionAt('198.51.100.1'), await sessionAt('203.0.113.2')]
        const looped = await loop(first, image.id)
        const there = await settleCall(api(second).image.download.query({ id: image.id }))
        await Promise.all([first.dispose(), second.dispose()])
        return { image, ...looped, there }
      })
      expect(passes.surely).toBeLessThanOrEqual(100)
      expect(passes.possibly).toBeGreaterThanOrEqual(100)
      expect(refusal).toMatchObject({ ruleSet: 'download', rule: '100 per minute' })
      expect(there).toBe(elsewhere)

      await page.setExtraHTTPHeaders({ 'x-forwarded-for': '198.51.100.1' })
      await page.goto(`/image/${image.slug}`)
      await page.getByRole('button', { name: /^Download/ }).click()
      await expect(page.getByText('Downloads of originals: 100 per minute')).toBeVisible()
      await expect(page.getByText(/^Try again in \d+/)).toBeVisible()
      expect(new URL(page.url()).pathname).toBe(`/image/${image.slug}`)
      console.log(
        `    ${passes.surely} passed, then 429 by ${refusal.ruleSet}: ${refusal.rule}; another network ${elsewhere}`,
      )
    })
  }
}

const settleCall = (call: Promise<unknown>) =>
  call.then(
    () => 'passes',
    () => 'is refused',
  )

/**
 * Downloads by ten at a time until a refusal, and counts those that passed within the minute before it: surely, and possibly
 * where a slow machine takes longer than a minute, since only the server knows when each was decided.
 */
async function loop(request: APIRequestContext, id: string) {
  const passed: { readonly sentAt: number; readonly at: number }[] = []
  const download = async () => {
    const sentAt = performance.now()
    const { url } = await api(request).image.download.query({ id })
    const { pathname, search } = new URL(url)
    if ((await request.get(pathname + search)).status() === 200) passed.push({ sentAt, at: performance.now() })
  }
  for (;;) {
    const begunAt = performance.now()
    const refusals = (await Promise.allSettled(Array.from({ length: 10 }, download))).filter(
      (outcome) => outcome.status === 'rejected',
    )
    const [first] = refusals
    if (!first) continue
    const { limit } = refused.parse(first.reason instanceof TRPCClientError ? first.reason.data : null)
    const endedAt = performance.now()
    const passes = {
      surely: passed.filter(({ sentAt }) => sentAt > endedAt - MINUTE_MS).length,
      possibly: passed.filter(({ at }) => at > begunAt - MINUTE_MS).length,
    }
    return { passes, refusal: limit }
  }
}

/** The images in the folder SLUICE_PHOTOS if that is set, otherwise a generated one of each format. */
async function photographs(seed: number): Promise<AsyncDisposable & { files: readonly string[] }> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-photographs-'))
  const given = process.env.SLUICE_PHOTOS
  const files = given ? await imagesIn(given) : await makePictures(folder, seed)
  return { files, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) }
}

async function imagesIn(folder: string): Promise<readonly string[]> {
  const names = (await readdir(folder)).filter((name) => /\.(jpe?g|png|webp|gif|avif)$/i.test(name))
  return names.map((name) => join(folder, name))
}

/** Each picture has another orientation, and those of the seeds 0 and 3 have all eight. */
async function makePictures(folder: string, firstSeed: number): Promise<readonly string[]> {
  const formats = ['jpeg', 'png', 'webp', 'gif', 'avif'] as const
  return Promise.all(
    formats.map(async (format, index) => {
      const seed = firstSeed + index
      const file = join(folder, `picture ${seed} – ü.${format}`)
      const made = sharp(await picture({ format: 'png', seed, width: 800, height: 600 }))
      const placed = await made
        .withExif(position)
        .withMetadata({ orientation: 1 + (seed % 8) })
        .toFormat(format)
        .toBuffer()
      expect([await hasPosition(placed), placed.includes(secret)]).toEqual(
        format === 'gif' ? [false, false] : [true, true],
      )
      await writeFile(file, placed)
      return file
    }),
  )
}

const secret = 'Written by somebody about themselves'
const position = {
  IFD0: { Copyright: secret },
  IFD3: {
    ...{ GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 3230/100' },
    ...{ GPSLongitudeRef: 'W', GPSLongitude: '0/1 7/1 4366/100' },
  },
}

/** Whether a file's EXIF contains GPS data: the tag 0x8825, in either byte order. */
async function hasPosition(bytes: Buffer): Promise<boolean> {
  const { exif } = await sharp(bytes).metadata()
  return [0x8825, 0x2588].some((tag) => exif?.includes(Buffer.from([tag >> 8, tag & 255])) ?? false)
}

/** Every pixel of every frame, with the orientation applied. */
async function readPixels(bytes: Buffer): Promise<Buffer> {
  const { pages = 1 } = await sharp(bytes, { animated: true }).metadata()
  return (pages > 1 ? sharp(bytes, { animated: true }) : sharp(bytes).autoOrient()).raw().toBuffer()
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
