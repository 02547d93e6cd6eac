import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { Page } from '@playwright/test'
import { readZip } from '../testing/http/read-zip.ts'
import { picture } from '../testing/images/pictures.ts'
import { api, expect, signIn, test } from './fixtures.ts'

/** Uploads pictures with these names, the last of which is the newest. */
async function upload(page: Page, names: readonly string[]) {
  const { image } = api(page.request)
  const ids: string[] = []
  for (const [seed, name] of names.entries()) {
    const bytes = await picture({ format: 'png', width: 120, height: 90, seed: 700 + seed })
    ids.push((await image.upload.mutate(new File([new Uint8Array(bytes)], `${name}.png`))).id)
  }
  return ids
}

const tiles = (page: Page) => page.getByRole('list', { name: 'Images of the album' }).getByRole('listitem')
const names = async (page: Page) =>
  tiles(page).evaluateAll((rows) => rows.map((row) => row.querySelector('img')?.alt ?? ''))

test('an album is made from a selection, arranged by keyboard, shared with guests and downloaded', async ({
  page,
  browser,
  createAccount,
}) => {
  await signIn(page, await createAccount())
  await upload(page, ['ash', 'birch', 'cedar'])
  await page.goto('/')
  await page.getByRole('button', { name: 'Select images' }).click()
  await page.getByRole('button', { name: 'Select all' }).click()
  await page.getByRole('button', { name: 'Add to album' }).click()
  await page.getByRole('searchbox', { name: 'Search albums' }).fill('Trees')
  await page.getByRole('button', { name: 'New album “Trees”' }).click()
  await expect(page.getByText('3 images added to Trees.')).toBeVisible()

  await page.getByRole('link', { name: 'Albums', exact: true }).click()
  await page.getByRole('link', { name: 'Trees' }).click()
  await expect(tiles(page)).toHaveCount(3)
  expect(await names(page)).toEqual(['cedar', 'birch', 'ash'])

  await tiles(page).first().getByRole('link').focus()
  await page.keyboard.press('End')
  await expect(tiles(page).last().getByRole('link')).toBeFocused()
  await page.getByRole('button', { name: 'Move ash' }).focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('ArrowLeft')
  await expect(page.getByText('Before birch')).toBeAttached()
  const moved = page.waitForResponse((response) => response.url().includes('album.move'))
  await page.keyboard.press('Enter')
  await moved
  const arranged = ['cedar', 'ash', 'birch']
  expect(await names(page)).toEqual(arranged)
  await expect(tiles(page).nth(1).getByRole('link')).toBeFocused()
  await page.reload()
  await expect(tiles(page)).toHaveCount(3)
  expect(await names(page)).toEqual(arranged)

  await page.getByRole('button', { name: 'Share' }).click()
  await page.getByRole('radio', { name: 'Unlisted link' }).click()
  await expect(page.getByRole('radio', { name: 'Unlisted link' })).toBeChecked()
  const link = await page.getByRole('textbox', { name: 'Link of the album' }).inputValue()
  await page.getByRole('button', { name: 'Close' }).click()

  const guest = await browser.newPage()
  await guest.goto(link)
  await expect(guest.getByRole('heading', { name: 'Trees' })).toBeVisible()
  expect(await guest.getByRole('list', { name: 'Images of the album' }).getByRole('img').count()).toBe(3)
  await guest.close()

  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download as ZIP' }).click()
  const zip = readZip(await buffer(await (await download).createReadStream()))
  expect(zip.map(({ name }) => name)).toEqual(arranged.map((name) => `${name}.png`))
})

test('what is taken out of an album or deleted with it can be put back', async ({ page, createAccount }) => {
  await signIn(page, await createAccount())
  const images = await upload(page, ['ash', 'birch'])
  const { album, image } = api(page.request)
  const { id } = await album.create.mutate({ title: 'Trees' })
  await album.add.mutate({ id, images })
  await page.goto(`/albums/${id}`)
  await expect(tiles(page)).toHaveCount(2)
  await tiles(page).first().getByRole('link').focus()
  await page.keyboard.press('Space')
  await page.getByRole('button', { name: 'Remove from album' }).click()
  await expect(tiles(page)).toHaveCount(1)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(tiles(page)).toHaveCount(2)
  expect(await names(page)).toEqual(['ash', 'birch'])

  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Delete album' }).click()
  await expect(page.getByRole('heading', { name: 'No albums yet' })).toBeVisible()
  expect((await image.list.query({})).items).toHaveLength(2)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(tiles(page)).toHaveCount(2)
})

test('images of an album are dragged into their order, the selected ones together', async ({ page, createAccount }) => {
  await signIn(page, await createAccount())
  const images = await upload(page, ['ash', 'birch', 'cedar', 'elm'])
  const { album } = api(page.request)
  const { id } = await album.create.mutate({ title: 'Trees' })
  await album.add.mutate({ id, images })
  await page.goto(`/albums/${id}`)
  await expect(tiles(page)).toHaveCount(4)
  const before = await names(page)
  /** Presses in the middle of a tile, and moves to the left edge of another. */
  const drag = async (from: number, to: number) => {
    const start = await tiles(page).nth(from).boundingBox()
    const end = await tiles(page).nth(to).boundingBox()
    if (!start || !end) throw new Error('no such tile')
    await page.mouse.move(start.x + start.width / 2, start.y + start.height / 2)
    await page.mouse.down()
    await page.mouse.move(end.x + 8, end.y + end.height / 2, { steps: 4 })
  }
  await drag(3, 0)
  await page.keyboard.press('Escape')
  await page.mouse.up()
  expect(await names(page)).toEqual(before)

  const moved = page.waitForResponse((response) => response.url().includes('album.move'))
  await drag(3, 0)
  await expect(page.getByText('1 image', { exact: true }).last()).toBeVisible()
  await page.mouse.up()
  await moved
  const [a = '', b = '', c = '', d = ''] = before
  expect(await names(page)).toEqual([d, a, b, c])
  // The release opens no image.
  expect(new URL(page.url()).pathname).toBe(`/albums/${id}`)

  for (const name of [a, c]) await page.getByRole('checkbox', { name: `Select ${name}` }).check()
  const movedBoth = page.waitForResponse((response) => response.url().includes('album.move'))
  await drag(3, 0)
  await expect(page.getByText('2 images', { exact: true })).toBeVisible()
  await page.mouse.up()
  await movedBoth
  expect(await names(page)).toEqual([a, c, d, b])
  await page.reload()
  await expect(tiles(page)).toHaveCount(4)
  expect(await names(page)).toEqual([a, c, d, b])
})

test('an image of an album is selected at once, before its actions have loaded', async ({ page, createAccount }) => {
  await signIn(page, await createAccount())
  const images = await upload(page, ['ash'])
  const { album } = api(page.request)
  const { id } = await album.create.mutate({ title: 'Trees' })
  await album.add.mutate({ id, images })
  await page.goto(`/albums/${id}`, { waitUntil: 'networkidle' })
  const loaded = Promise.withResolvers<void>()
  await page.route('**/_next/static/**/*.js', async (route) => {
    await loaded.promise
    await route.continue()
  })
  await page.getByRole('checkbox', { name: 'Select ash' }).check()
  await expect(page.getByRole('button', { name: 'Remove from album' })).toHaveCount(0)
  loaded.resolve()
  await expect(page.getByRole('button', { name: 'Remove from album' })).toBeVisible()
})

test('sharing an album shows no private image until its owner says so', async ({ page, browser, createAccount }) => {
  await signIn(page, await createAccount())
  const images = await upload(page, ['ash', 'birch'])
  const { album, image } = api(page.request)
  await image.update.mutate({ id: images[0] ?? '', visibility: 'private' })
  const { id, url } = await album.create.mutate({ title: 'Trees', visibility: 'link' })
  await album.add.mutate({ id, images })
  const guest = await browser.newPage()
  const seen = guest.getByRole('list', { name: 'Images of the album' }).getByRole('img')
  await guest.goto(url)
  await expect(seen).toHaveCount(1)
  await page.goto(`/albums/${id}`)
  await expect(page.getByText('1 image in it is private and stays hidden from others.')).toBeVisible()
  await page.getByRole('button', { name: 'Show it by unlisted link' }).click()
  await expect(page.getByText('1 image is now visible to anyone with the link.')).toBeVisible()
  await guest.reload()
  await expect(seen).toHaveCount(2)
  await guest.close()
})

test('which image is the cover is marked for those who may change it', async ({ page, browser, createAccount }) => {
  await signIn(page, await createAccount())
  const images = await upload(page, ['ash', 'birch'])
  const { album, image } = api(page.request)
  for (const id of images) await image.update.mutate({ id, visibility: 'public' })
  const { id } = await album.create.mutate({ title: 'Trees', visibility: 'public' })
  await album.add.mutate({ id, images })
  const other = await browser.newPage()
  await signIn(other, await createAccount())
  for (const [visitor, marks] of [
    [page, 1],
    [other, 0],
  ] as const) {
    await visitor.goto(`/albums/${id}`)
    await expect(tiles(visitor)).toHaveCount(2)
    await expect(tiles(visitor).getByText('Cover', { exact: true })).toHaveCount(marks)
  }
  await other.close()
})

test('files chosen on an album’s page go into it', async ({ page, createAccount }) => {
  await signIn(page, await createAccount())
  const { id } = await api(page.request).album.create.mutate({ title: 'Trees' })
  await page.goto(`/albums/${id}`)
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Upload into album' }).click()
  const bytes = await picture({ format: 'png', width: 120, height: 90, seed: 720 })
  await (await chooser).setFiles({ name: 'ash.png', mimeType: 'image/png', buffer: bytes })
  await expect(tiles(page)).toHaveCount(1)
})

test('dragged images are dropped on an album, and on a new one; a title that exists names that album', async ({
  page,
  createAccount,
}) => {
  await signIn(page, await createAccount())
  await upload(page, ['ash', 'birch', 'cedar'])
  const { album } = api(page.request)
  const { id } = await album.create.mutate({ title: 'Trees' })
  await page.goto('/')
  const dock = page.getByRole('region', { name: 'Albums' })
  const place = (name: string) => dock.getByRole('listitem').filter({ hasText: name })
  const drag = async (name: string, to: string) => {
    await page.getByRole('link', { name, exact: true }).hover()
    await page.mouse.down()
    await page.mouse.move(40, 40, { steps: 4 })
    await place(to).hover()
    await page.mouse.up()
  }
  await drag('ash', 'Trees')
  await expect(page.getByText('1 image added to Trees.')).toBeVisible()
  await expect(dock).toHaveCount(0)

  for (const name of ['birch', 'cedar']) await page.getByRole('checkbox', { name: `Select ${name}` }).check()
  await drag('birch', 'New album')
  const dialog = page.getByRole('dialog', { name: 'Add 2 images to an album' })
  await dialog.getByRole('searchbox', { name: 'Search albums' }).fill('trees')
  await dialog.getByRole('button', { name: 'Add to “Trees”' }).click()
  await expect(page.getByText('2 images added to Trees.')).toBeVisible()
  expect((await album.images.query({ id })).items).toHaveLength(3)
  expect((await album.list.query({})).items).toHaveLength(1)
})

test('a folder that is chosen is proposed as an album', async ({ page, createAccount }, testInfo) => {
  await signIn(page, await createAccount())
  const folder = testInfo.outputPath('Holiday')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, '.hidden'), 'x')
  await writeFile(join(folder, 'ash.png'), await picture({ format: 'png', width: 120, height: 90, seed: 730 }))
  await page.goto('/')
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Upload folder' }).click()
  await (await chooser).setFiles(folder)
  await expect(page.getByText('1 image uploaded').first()).toBeVisible()
  await page.getByRole('button', { name: 'Create album' }).click()
  await expect(page.getByText('1 image added to the album “Holiday”.')).toBeVisible()
  expect((await api(page.request).album.list.query({})).items).toMatchObject([
    { title: 'Holiday', count: { count: 1 } },
  ])
})
