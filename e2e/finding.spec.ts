import type { Page } from '@playwright/test'
import { picture } from '../testing/images/pictures.ts'
import { api, expect, signIn, test } from './fixtures.ts'

const names = ['harbour.png', 'Küche am Morgen.jpg', '海边的照片.png']

async function uploadThree(page: Page): Promise<void> {
  for (const [at, name] of names.entries()) {
    const format = name.endsWith('.png') ? 'png' : 'jpeg'
    const bytes = await picture({ format, width: 64, height: 48, seed: 170 + at })
    await api(page.request).image.upload.mutate(new File([new Uint8Array(bytes)], name))
  }
}

const tiles = (page: Page) => page.getByRole('list', { name: 'Your images' }).getByRole('listitem')
const box = (page: Page) => page.getByRole('searchbox', { name: 'Search images' })

test('the box finds by parts of words, and the address keeps the search', async ({ page, createAccount, problems }) => {
  await signIn(page, await createAccount())
  await uploadThree(page)
  await page.goto('/')
  await expect(tiles(page)).toHaveCount(3)
  // The tiles are in the HTML, before there is script to hear keys.
  await expect(async () => {
    await page.keyboard.press('/')
    await expect(box(page)).toBeFocused({ timeout: 500 })
  }).toPass()
  await page.keyboard.type('kuch')
  await expect(tiles(page)).toHaveCount(1)
  await expect(page).toHaveURL(/\?q=kuch$/)
  await expect(page.getByRole('status').filter({ hasText: '1 image' })).toBeVisible()
  await page.reload()
  await expect(box(page)).toHaveValue('kuch')
  await expect(tiles(page)).toHaveCount(1)
  await box(page).fill('照')
  await expect(page).toHaveURL(/\?q=%E7%85%A7$/)
  await expect(tiles(page)).toHaveCount(1)
  await page.goBack()
  await expect(box(page)).toHaveValue('')
  await expect(tiles(page)).toHaveCount(3)
  await box(page).fill('nowhere')
  await expect(page.getByRole('heading', { name: 'No images match' })).toBeVisible()
  await page.getByRole('button', { name: 'Clear search and filters' }).click()
  await expect(tiles(page)).toHaveCount(3)
  expect(problems).toEqual([])
})

test('filters are chosen, shown, removed, and saved under a name', async ({ page, createAccount, problems }) => {
  await signIn(page, await createAccount())
  await uploadThree(page)
  await page.goto('/')
  await page.getByRole('button', { name: 'Filters' }).click()
  const filters = page.getByRole('dialog', { name: 'Filters' })
  await filters.getByLabel('Type').selectOption('PNG')
  await expect(page).toHaveURL(/\?type=png$/)
  await filters.getByRole('button', { name: 'Show images' }).click()
  await expect(tiles(page)).toHaveCount(2)

  await page.getByRole('button', { name: 'Saved searches' }).click()
  const views = page.getByRole('dialog', { name: 'Saved searches' })
  await views.getByLabel('Save this search').fill('Screens')
  await views.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(views.getByRole('button', { name: 'Screens', exact: true })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Remove filter: PNG' }).click()
  await expect(tiles(page)).toHaveCount(3)

  await page.getByLabel('Sort by').selectOption('Title')
  await expect(page).toHaveURL(/\?sort=title$/)
  await expect(tiles(page).first()).toContainText('harbour')
  await page.getByRole('button', { name: 'Saved searches' }).click()
  await views.getByRole('button', { name: 'Screens', exact: true }).click()
  await expect(page).toHaveURL(/\?type=png$/)
  await expect(tiles(page)).toHaveCount(2)

  await page.getByRole('button', { name: 'Saved searches' }).click()
  await views.getByRole('button', { name: 'Rename Screens' }).click()
  const name = views.getByRole('textbox', { name: 'Rename Screens' })
  await expect(name).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(views.getByRole('button', { name: 'Rename Screens' })).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.type('Screenshots')
  await page.keyboard.press('Enter')
  await expect(views.getByRole('button', { name: 'Screenshots', exact: true })).toBeVisible()
  await views.getByRole('button', { name: 'Delete Screenshots' }).click()
  await expect(views.getByRole('button', { name: 'Screenshots', exact: true })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('button', { name: 'Saved searches' }).click()
  await expect(views.getByRole('button', { name: 'Screenshots', exact: true })).toBeVisible()
  expect(problems).toEqual([])
})

test('an image keeps the list it was opened from: after a reload, for Back, and for others', async ({
  page,
  createAccount,
  problems,
}) => {
  await signIn(page, await createAccount())
  await uploadThree(page)
  await page.goto('/?type=png')
  await expect(tiles(page)).toHaveCount(2)
  await page.getByRole('link', { name: '海边的照片' }).click()
  await expect(page).toHaveURL(/\/image\/[^?]+\?type=png$/)
  await page.getByRole('button', { name: 'Next image' }).click()
  await expect(page.getByRole('heading', { name: 'harbour' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('button', { name: 'Previous image' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Next image' })).toHaveCount(0)
  const address = page.url()
  // As the entry before this one is the list, Back leaves none behind.
  await page.getByRole('button', { name: 'Back' }).click()
  await expect(page).toHaveURL(/\/\?type=png$/)
  await page.goForward()
  await expect(page).toHaveURL(address)

  const other = await page.context().newPage()
  await other.goto(address)
  await other.getByRole('button', { name: 'Previous image' }).click()
  await expect(other.getByRole('heading', { name: '海边的照片' })).toBeVisible()
  await other.keyboard.press('Escape')
  await expect(other).toHaveURL(/\/\?type=png$/)
  await expect(tiles(other)).toHaveCount(2)
  expect(problems).toEqual([])
})

test('the date that images are ordered by is remembered, and an image is browsed in its list and album', async ({
  page,
  createAccount,
  problems,
}) => {
  await signIn(page, await createAccount())
  await uploadThree(page)
  await page.goto('/')
  // By then the page's script runs: it has laid the tiles out.
  await expect(tiles(page).first()).toHaveCSS('position', 'absolute')
  await page.getByLabel('Sort by').selectOption('Taken last')
  await expect(page).toHaveURL(/\?by=taken$/)
  await page.goto('/')
  await expect(page).toHaveURL(/\?by=taken$/)
  await expect(page.getByLabel('Sort by')).toHaveValue('takenLast')
  await expect(tiles(page).first()).toHaveCSS('position', 'absolute')
  await page.getByLabel('Sort by').selectOption('Newest')
  await page.goto('/?type=png&sort=title')
  await expect(tiles(page)).toHaveCount(2)
  await tiles(page).first().getByRole('link').click()
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(page.getByRole('heading', { name: '海边的照片' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Next' })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(/\?type=png&sort=title/)

  const client = api(page.request)
  const { items } = await client.image.list.query({ sort: 'title' })
  const [first, last] = [items[0], items[2]]
  const { id } = await client.album.create.mutate({ title: 'Two' })
  await client.album.add.mutate({ id, images: [first, last].flatMap((item) => item?.id ?? []) })
  await page.goto(`/albums/${id}`)
  await page.getByRole('list', { name: 'Images of the album' }).getByRole('link').first().click()
  await expect(page).toHaveURL(new RegExp(`/image/.*\\?album=${id}$`))
  await page.getByRole('button', { name: /Next|Previous/ }).click()
  await expect(page.getByRole('button', { name: /Next|Previous/ })).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(new RegExp(`/albums/${id}$`))
  expect(problems).toEqual([])
})
