import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { animation, picture } from '../testing/images/pictures.ts'
import { api, expect, signIn, test } from './fixtures.ts'

const makeFile = (bytes: Uint8Array, name: string) => new File([new Uint8Array(bytes)], name)
const buffer = (name: string, content: Buffer) => ({ name, mimeType: '', buffer: content })

/** Uploads with the button, as people do: a file that is chosen twice is sent twice. */
async function choose(page: Page, ...files: ReturnType<typeof buffer>[]): Promise<void> {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Upload', exact: true }).first().click(),
  ])
  await chooser.setFiles(files)
}

test('a blurred placeholder in the image’s shape is shown until the image has loaded', async ({
  page,
  createAccount,
}) => {
  await signIn(page, await createAccount())
  const bytes = await picture({ width: 900, height: 600 })
  const { slug } = await api(page.request).image.upload.mutate(makeFile(bytes, 'ridge.jpg'))
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/i/**', async (route) => {
    await released
    await route.continue()
  })
  for (const path of ['/', `/image/${slug}`]) {
    await page.goto(path, { waitUntil: 'domcontentloaded' })
    const image = page.getByRole('img', { name: 'ridge' })
    const blur = page.locator('[style*="data:image/png;base64,"]')
    await expect(blur).toHaveCount(1)
    const before = await image.boundingBox()
    expect(Math.abs((before?.width ?? 0) / (before?.height ?? 1) - 1.5)).toBeLessThan(0.02)
    if (path === '/') continue
    release()
    await expect(blur).toHaveCount(0)
    expect(await image.boundingBox()).toEqual(before)
  }
})

test('an image that failed to load during an outage loads once the server responds', async ({
  page,
  createAccount,
}) => {
  await signIn(page, await createAccount())
  const bytes = await picture({ width: 900, height: 600 })
  const { slug } = await api(page.request).image.upload.mutate(makeFile(bytes, 'ridge.jpg'))
  for (const path of ['/', `/image/${slug}`]) {
    await page.route(/\/i\/|\/healthz$/, (route) => route.abort('connectionrefused'))
    await page.goto(path)
    await expect(page.getByText('could not be loaded').or(page.getByLabel('could not be loaded'))).toBeVisible()
    await page.unroute(/\/i\/|\/healthz$/)
    const shown = page.getByRole('main').locator('img')
    await expect
      .poll(() => shown.evaluateAll((all) => all.map((one) => one instanceof HTMLImageElement && one.naturalWidth > 0)))
      .toEqual([true])
  }
})

test('the page of an image loads one file, over what a list has loaded', async ({ page, createAccount }) => {
  await signIn(page, await createAccount())
  const bytes = await picture({ width: 2400, height: 1600 })
  const { id } = await api(page.request).image.upload.mutate(makeFile(bytes, 'ridge.jpg'))
  // The larger ones are made after the upload.
  await expect.poll(async () => (await api(page.request).image.get.query({ id })).variants?.length).toBe(3)
  /** What came from the server, and not from the browser's cache. */
  const reads = () =>
    page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .filter((entry) => new URL(entry.name).pathname.startsWith('/i/') && Reflect.get(entry, 'transferSize') > 0)
        .map(({ name }) => new URL(name).search),
    )
  const image = page.getByRole('img', { name: 'ridge' })
  const isShown = () => image.evaluate((element: HTMLImageElement) => element.complete && element.naturalWidth > 0)
  const backdrop = page.locator('a[data-picture]')
  await page.setViewportSize({ width: 700, height: 900 })

  await page.goto('/')
  await expect.poll(isShown).toBe(true)
  // A slow line. Routes would keep the browser from using its cache.
  const devTools = await page.context().newCDPSession(page)
  const line = { offline: false, downloadThroughput: -1, uploadThroughput: -1 }
  await devTools.send('Network.enable')
  await devTools.send('Network.emulateNetworkConditions', { ...line, latency: 1_000 })
  await image.click()
  await expect(backdrop).toHaveCSS('background-image', /\?w=400"\), url\("data:image/)
  await expect(backdrop).toHaveCSS('background-image', 'none')
  expect(await reads()).toEqual(['?w=400', '?w=800'])

  // Whoever has the link has loaded nothing of it.
  await devTools.send('Network.emulateNetworkConditions', { ...line, latency: 0 })
  await devTools.send('Network.clearBrowserCache')
  await page.reload()
  await expect.poll(isShown).toBe(true)
  await expect(backdrop).toHaveCSS('background-image', 'none')
  expect(await reads()).toEqual(['?w=800'])
})

test('an image loads in the size that is displayed', async ({ page, createAccount }) => {
  await signIn(page, await createAccount())
  const bytes = await picture({ width: 2400, height: 1600 })
  const { slug, url } = await api(page.request).image.upload.mutate(makeFile(bytes, 'ridge.jpg'))
  const shown = () => page.getByRole('img', { name: 'ridge' }).evaluate((image: HTMLImageElement) => image.currentSrc)
  // The smallest first, because a browser reuses a larger one that it has.
  await page.goto('/')
  await expect.poll(shown).toBe(`${url}?w=400`)
  await page.setViewportSize({ width: 700, height: 900 })
  await page.goto(`/image/${slug}`)
  await expect.poll(shown).toBe(`${url}?w=800`)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(`/image/${slug}`)
  await expect.poll(shown).toBe(`${url}?w=1600`)
  await expect(page.getByRole('link', { name: 'Open original' })).toHaveAttribute('href', new URL(url).pathname)
})

test('a new image is shown larger, in place, as soon as its variants are made: in a list, and to visitors', async ({
  page,
  browser,
  sluice,
  createAccount,
}) => {
  await signIn(page, await createAccount())
  const bytes = await picture({ width: 1800, height: 1200 })
  const { slug, url } = await api(page.request).image.upload.mutate(makeFile(bytes, 'ridge.jpg'))
  const context = await browser.newContext({ baseURL: sluice.origin, deviceScaleFactor: 3 })
  await context.addCookies(await page.context().cookies())
  const visitor = await browser.newContext({ baseURL: sluice.origin })
  // As the server answers in the first moments.
  const makeNew = (text: string) =>
    text
      .replaceAll(/(\\?"variantsAwaited\\?":)false/g, '$1true')
      .replaceAll(/ srcset="[^"]*"/gi, '')
      .replaceAll(/(\\?"variants\\?":\[\{[^}]*\})[^\]]*\]/g, '$1]')
  for (const [own, path] of [
    [context, '/?sort=title'],
    [visitor, `/image/${slug}`],
  ] as const) {
    const tab = await own.newPage()
    let looks = 0
    await tab.route(/image\.list|\/image\/|\/i\//, async (route) => {
      const request = route.request()
      if (request.method() === 'HEAD') {
        looks += 1
        if (looks > 1) return route.continue()
        return route.fulfill({ headers: { 'Sluice-Stand-In': '1' } })
      }
      if (request.url().includes('/i/')) return route.continue()
      const answer = await route.fetch()
      await route.fulfill({ response: answer, body: makeNew(await answer.text()) })
    })
    await tab.goto(path)
    const image = tab.getByRole('img', { name: 'ridge' })
    const source = () => image.evaluate((element: HTMLImageElement) => element.currentSrc)
    await expect.poll(source).toBe(`${url}?w=400`)
    const before = await image.boundingBox()
    await expect.poll(source).toMatch(/\?w=(?:800|1600)$/)
    expect(await image.boundingBox()).toEqual(before)
    expect(looks).toBe(2)
  }
  await context.close()
  await visitor.close()
})

test('an animation in a list stands still until it is hovered or played', async ({ page, createAccount }) => {
  await signIn(page, await createAccount())
  const bytes = await animation('gif', { width: 300, height: 200 })
  await api(page.request).image.upload.mutate(makeFile(bytes, 'waves.gif'))
  await page.goto('/')
  const frozen = page.locator('canvas')
  await expect(frozen).toHaveCount(1)
  await page.getByRole('link', { name: 'waves' }).hover()
  await expect(frozen).toHaveCount(0)
  await page.mouse.move(0, 0)
  await expect(frozen).toHaveCount(1)

  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.getByRole('link', { name: 'waves' }).hover()
  await expect(frozen).toHaveCount(1)
  await page.getByRole('button', { name: 'Play waves' }).click()
  await expect(frozen).toHaveCount(0)
  await page.getByRole('button', { name: 'Pause waves' }).click()
  await expect(frozen).toHaveCount(1)
})

test('an animation plays on its own page, unless the user prefers reduced motion', async ({ page, createAccount }) => {
  await signIn(page, await createAccount())
  const bytes = await animation('webp', { width: 300, height: 200 })
  const { slug } = await api(page.request).image.upload.mutate(makeFile(bytes, 'waves.webp'))
  await page.goto(`/image/${slug}`)
  await expect(page.getByRole('button', { name: 'Pause animation' })).toBeVisible()
  await expect(page.getByText('WebP, 6 frames')).toBeVisible()
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.reload()
  await expect(page.locator('canvas')).toHaveCount(1)
  await page.getByRole('button', { name: 'Play animation' }).click()
  await expect(page.locator('canvas')).toHaveCount(0)
})

test('files are recognised by their content, before and after they are sent', async ({ page, createAccount }) => {
  await signIn(page, await createAccount())
  await page.goto('/')
  const uploads: string[] = []
  page.on('request', (request) => request.url().endsWith('/image.upload') && uploads.push(request.url()))
  const photo = sharp(await picture({ format: 'png' })).withExif({ IFD0: { Copyright: 'somebody' } })
  await choose(
    page,
    buffer('drawing.png', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')),
    buffer('photo.txt', await photo.avif({ effort: 0 }).toBuffer()),
  )
  const tray = page.getByRole('region', { name: 'Uploads' })
  await expect(tray.getByText('SVG files are not supported')).toBeVisible()
  await expect(tray.getByText('Uploaded', { exact: true })).toHaveCount(1)
  await expect(tray.getByText('Removed: EXIF data')).toBeVisible()
  expect(uploads).toHaveLength(1)

  await choose(page, buffer('photo.txt', await photo.avif({ effort: 0 }).toBuffer()))
  await expect(tray.getByText('Already here', { exact: true })).toHaveCount(1)
  await tray.getByRole('button', { name: 'Close' }).click()
  await expect(tray).toHaveCount(0)
})

test('removing files that could still be uploaded asks for confirmation', async ({ page, createAccount }) => {
  await signIn(page, await createAccount())
  await page.goto('/')
  await page.route('**/image.upload', () => undefined)
  await choose(page, buffer('slow.jpg', await picture({})))
  const tray = page.getByRole('region', { name: 'Uploads' })
  await tray.getByRole('button', { name: 'Close' }).click()
  const question = page.getByRole('alertdialog', { name: 'Discard 1 upload?' })
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(tray).toBeVisible()
  await tray.getByRole('button', { name: 'Close' }).click()
  await question.getByRole('button', { name: 'Discard' }).click()
  await expect(tray).toHaveCount(0)
})
