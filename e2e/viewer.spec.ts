import type { Page } from '@playwright/test'
import { picture } from '../testing/images/pictures.ts'
import { api, expect, signIn, test } from './fixtures.ts'

async function upload(page: Page, name: string, options: Parameters<typeof picture>[0]) {
  const bytes = await picture(options)
  return api(page.request).image.upload.mutate(new File([new Uint8Array(bytes)], name))
}

const level = (page: Page) => page.getByRole('combobox', { name: 'Zoom level' })
const shownWidth = (page: Page, name: string) =>
  page.getByRole('img', { name }).evaluate((image) => Math.round(image.getBoundingClientRect().width))

test('a picture is zoomed by wheel, keys, click and double click, and moved when it is zoomed', async ({
  page,
  createAccount,
}) => {
  await signIn(page, await createAccount())
  const { slug } = await upload(page, 'ridge.jpg', { width: 2400, height: 1600 })
  await page.goto(`/image/${slug}`)
  const image = page.getByRole('img', { name: 'ridge' })
  await expect(image).toBeVisible()
  const whole = await shownWidth(page, 'ridge')
  await expect(level(page)).toHaveValue('fit')

  // What is under the pointer stays there.
  const box = await image.boundingBox()
  if (!box) throw new Error('The image has no box.')
  const at = { x: box.x + box.width / 4, y: box.y + box.height / 4 }
  const share = () =>
    image.evaluate((element, point) => {
      const { left, top, width, height } = element.getBoundingClientRect()
      return [(point.x - left) / width, (point.y - top) / height].map((part) => part.toFixed(2))
    }, at)
  await page.mouse.move(at.x, at.y)
  expect(await share()).toEqual(['0.25', '0.25'])
  await expect(async () => {
    await page.mouse.wheel(0, -200)
    expect(await shownWidth(page, 'ridge')).toBeGreaterThan(whole * 1.8)
  }).toPass()
  expect(await share()).toEqual(['0.25', '0.25'])

  await page.keyboard.press('1')
  await expect(level(page)).toHaveValue('1')
  expect(await shownWidth(page, 'ridge')).toBe(2400)
  await page.keyboard.press('+')
  await expect(level(page)).toHaveValue('1.25')
  await page.keyboard.press('-')
  await expect(level(page)).toHaveValue('1')
  const left = () => image.evaluate((element) => element.getBoundingClientRect().left)
  const before = await left()
  await page.keyboard.press('ArrowRight')
  expect(await left()).toBe(before - 80)
  await page.keyboard.press('0')
  await expect(level(page)).toHaveValue('fit')
  expect(await shownWidth(page, 'ridge')).toBe(whole)

  await image.dblclick()
  await expect(level(page)).toHaveValue('1')
  const held = await left()
  await page.mouse.down()
  await page.mouse.move(box.x + box.width / 2 - 100, box.y + box.height / 2, { steps: 4 })
  await page.mouse.up()
  expect(Math.round(held - (await left()))).toBe(100)
  await image.dblclick()
  await expect(level(page)).toHaveValue('fit')
  await image.click()
  await expect(level(page)).toHaveValue('1')
  expect(page.context().pages()).toHaveLength(1)

  await page.getByRole('button', { name: 'Zoom out' }).click()
  await expect(level(page)).toHaveValue('0.8')
  await level(page).selectOption('Fit')
  expect(await shownWidth(page, 'ridge')).toBe(whole)
})

test('zooming loads a larger rendering, and the original only when asked for', async ({ page, createAccount }) => {
  await signIn(page, await createAccount())
  const { slug, url } = await upload(page, 'ridge.jpg', { width: 3200, height: 2000 })
  await page.setViewportSize({ width: 700, height: 900 })
  await page.goto(`/image/${slug}`)
  const image = page.getByRole('img', { name: 'ridge' })
  const source = () => image.evaluate((element: HTMLImageElement) => element.currentSrc)
  await expect.poll(source).toBe(`${url}?w=800`)
  const offer = page.getByRole('button', { name: 'Load the original' })
  await page.keyboard.press('+')
  await page.keyboard.press('+')
  await expect.poll(source).toBe(`${url}?w=1600`)
  await expect(offer).toHaveCount(0)
  await page.keyboard.press('1')
  await expect(offer).toBeVisible()
  expect(await source()).toBe(`${url}?w=1600`)
  await offer.click()
  await expect.poll(source).toBe(url)
  await expect(offer).toHaveCount(0)
})

test('a long screenshot opens by its width and is scrolled; fingers zoom it, and then move it', async ({
  browser,
  sluice,
  createAccount,
}) => {
  const context = await browser.newContext({
    baseURL: sluice.origin,
    hasTouch: true,
    viewport: { width: 390, height: 800 },
  })
  const page = await context.newPage()
  await signIn(page, await createAccount())
  await upload(page, 'other.png', { format: 'png', width: 64, height: 48, seed: 9 })
  const { slug } = await upload(page, 'page.png', { format: 'png', width: 400, height: 3200 })
  await page.goto(`/image/${slug}`)
  await expect(level(page)).toHaveValue('width')
  await expect(page.getByRole('button', { name: 'Next image' })).toBeVisible()
  expect(await shownWidth(page, 'page')).toBe(390)
  const client = await context.newCDPSession(page)
  const touch = async (type: 'touchStart' | 'touchMove' | 'touchEnd', ...points: readonly number[]) =>
    client.send('Input.dispatchTouchEvent', { type, touchPoints: points.map((x, id) => ({ x, y: 300, id })) })
  await page.getByRole('img', { name: 'page' }).dispatchEvent('pointerover')
  await expect(async () => {
    await touch('touchStart', 150, 250)
    await touch('touchMove', 100, 300)
    await touch('touchEnd')
    expect(await shownWidth(page, 'page')).toBeGreaterThan(700)
  }).toPass()
  // Zoomed, a swipe does not leave the picture.
  await touch('touchStart', 300)
  await touch('touchMove', 100)
  await touch('touchEnd')
  await expect(page.getByRole('heading', { name: 'page' })).toBeVisible()
  await page.keyboard.press('w')
  await touch('touchStart', 300)
  await touch('touchMove', 100)
  await touch('touchEnd')
  await expect(page.getByRole('heading', { name: 'other' })).toBeVisible()
  await expect(level(page)).toHaveValue('fit')
  await context.close()
})

test('fills the screen by button and key, and browses there', async ({ page, createAccount }) => {
  await signIn(page, await createAccount())
  for (const seed of [1, 2]) await upload(page, `picture ${seed}.jpg`, { width: 300, height: 200, seed })
  const { items } = await api(page.request).image.list.query({})
  await page.goto(`/image/${items[0]?.slug}`)
  const stage = page.getByRole('region', { name: 'Image', exact: true })
  const fills = () => stage.evaluate((element) => element.getBoundingClientRect().height === window.innerHeight)
  await page.getByRole('button', { name: 'Full screen' }).click()
  await expect.poll(fills).toBe(true)
  expect(await page.evaluate(() => document.fullscreenElement !== null)).toBe(true)
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('img', { name: 'picture 1' })).toBeVisible()
  await page.getByRole('button', { name: 'Leave full screen' }).click()
  await expect.poll(fills).toBe(false)
  await page.keyboard.press('s')
  await expect.poll(fills).toBe(true)
  // Left and entered again before the browser has left.
  const isFullAgain = page.evaluate(() => {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    let changes = 0
    document.addEventListener('fullscreenchange', () => {
      changes += 1
      if (changes === 2) resolve(document.fullscreenElement !== null)
    })
    return promise
  })
  await page.keyboard.press('s')
  await page.keyboard.press('s')
  expect(await isFullAgain).toBe(true)
  await expect.poll(fills).toBe(true)
})

test('an image opened by its address has its neighbours, and the next one is loaded ahead', async ({
  page,
  createAccount,
}) => {
  await signIn(page, await createAccount())
  for (const seed of [1, 2, 3]) await upload(page, `picture ${seed}.jpg`, { width: 300, height: 200, seed })
  const { items } = await api(page.request).image.list.query({})
  const [, middle, last] = items
  const ahead = page.waitForRequest((request) => request.url().startsWith(`${last?.url}`))
  await page.goto(`/image/${middle?.slug}`)
  expect((await ahead).resourceType()).toBe('image')
  await page.getByRole('button', { name: 'Next image' }).click()
  await expect(page.getByRole('heading', { name: 'picture 1' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Next image' })).toHaveCount(0)
  await page.keyboard.press('ArrowLeft')
  await expect(page.getByRole('heading', { name: 'picture 2' })).toBeVisible()
  await page.keyboard.press('ArrowLeft')
  await expect(page.getByRole('heading', { name: 'picture 3' })).toBeVisible()
  await page.keyboard.press('Delete')
  await expect(page.getByRole('heading', { name: 'picture 2' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Next image' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Previous image' })).toHaveCount(0)
})

test('the owner sees how often an image was read, as a chart and a table', async ({
  page,
  createAccount,
  browser,
  sluice,
}) => {
  await signIn(page, await createAccount())
  const { slug, url } = await upload(page, 'ridge.jpg', { width: 300, height: 200 })
  const guest = await browser.newContext({ baseURL: sluice.origin })
  for (let time = 0; time < 3; time += 1) await (await guest.request.get(url)).body()
  await page.goto(`/image/${slug}`)
  // Reads are added up now and then; closed and opened again, they are read again. The table has a column of the same name.
  const reads = page.locator('summary', { hasText: 'Reads' })
  await expect(async () => {
    await reads.click()
    await expect(page.getByText(/^[3-9] reads and .* in the last 30 days$/)).toBeVisible({ timeout: 1_000 })
  }).toPass({ timeout: 20_000 })
  await expect(page.getByRole('img', { name: /^Reads by day/ })).toBeVisible()
  await page.getByText('Show as table').click()
  await expect(page.getByRole('row')).toHaveCount(2)
  const visitor = await guest.newPage()
  await visitor.goto(`/image/${slug}`)
  await expect(visitor.getByRole('heading', { name: 'ridge' })).toBeVisible()
  await expect(visitor.getByText('Reads', { exact: true })).toHaveCount(0)
  await guest.close()
})

test('without script a visitor reads a long screenshot, and nothing is offered that does not work', async ({
  page,
  browser,
  sluice,
  createAccount,
}) => {
  await signIn(page, await createAccount())
  const { slug } = await upload(page, 'page.png', { format: 'png', width: 400, height: 3200 })
  const context = await browser.newContext({ baseURL: sluice.origin, javaScriptEnabled: false })
  const guest = await context.newPage()
  await guest.goto(`/image/${slug}`)
  expect((await guest.getByRole('img', { name: 'page' }).boundingBox())?.width).toBe(400)
  for (const name of ['Zoom in', 'Full screen', 'Back', 'Share'])
    await expect(guest.getByRole('button', { name })).toBeHidden()
  await expect(guest.getByRole('combobox')).toBeHidden()
  await context.close()
})
