import { picture } from '../testing/images/pictures.ts'
import { api, expect, signIn, test } from './fixtures.ts'

async function upload(page: Parameters<typeof signIn>[0], seed: number, name: string) {
  const bytes = await picture({ format: 'png', width: 64, height: 48, seed })
  return api(page.request).image.upload.mutate(new File([new Uint8Array(bytes)], name))
}

test('/admin redirects to the users, and does not exist for others', async ({ page, createAccount }) => {
  await signIn(page, await createAccount({ role: 'admin' }))
  await page.goto('/admin')
  await expect(page).toHaveURL(/\/admin\/users$/)
  await page.context().clearCookies()
  await signIn(page, await createAccount())
  expect((await page.goto('/admin'))?.status()).toBe(404)
})

test('the whole trash is selected without selecting an image first', async ({ page, createAccount }) => {
  await signIn(page, await createAccount())
  const images = [await upload(page, 70, 'one.png'), await upload(page, 71, 'two.png')]
  await api(page.request).image.deleteMany.mutate({ ids: images.map(({ id }) => id) })
  await page.goto('/trash')
  await page.getByRole('button', { name: 'Select all' }).click()
  await expect(page.getByText('2 selected')).toBeVisible()
  await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Delete permanently' }).click()
  await expect(page.getByText('The trash is empty.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Select all' })).toHaveCount(0)
})

test('a full trash stays light, and is emptied as a whole', async ({ page, createAccount }) => {
  // No limit of uploads holds up a superadmin.
  await signIn(page, await createAccount({ role: 'superadmin' }))
  const ids: string[] = []
  for (let at = 0; at < 45; at += 1) ids.push((await upload(page, 700 + at, `old ${at}.png`)).id)
  await api(page.request).image.deleteMany.mutate({ ids })
  await page.goto('/trash')
  const rows = page.getByRole('list', { name: 'Images in the trash' }).getByRole('listitem')
  await expect(rows.first()).toHaveAttribute('aria-setsize', '40')
  expect(await rows.count()).toBeLessThan(20)
  await expect(async () => {
    await page.mouse.wheel(0, 10_000)
    await expect(rows.last()).toHaveAttribute('aria-posinset', '45', { timeout: 500 })
  }).toPass()
  expect(await rows.count()).toBeLessThan(20)
  await page.reload()
  await page.getByRole('button', { name: 'Empty trash' }).click()
  await page.getByRole('button', { name: 'Delete permanently' }).click()
  await expect(page.getByText('The trash is empty.')).toBeVisible()
  await expect(page.getByText('45 images permanently deleted.')).toBeVisible()
  const { items } = await api(page.request).image.list.query({ scope: 'mine', trash: true })
  expect(items).toEqual([])
})

test('on the smallest phone, names in the trash are readable, and tapping an image selects it', async ({
  page,
  createAccount,
}) => {
  await signIn(page, await createAccount())
  const { id } = await upload(page, 73, 'IMG_2041.png')
  await api(page.request).image.delete.mutate({ id })
  await page.setViewportSize({ width: 320, height: 568 })
  await page.goto('/trash')
  const name = page.getByText('IMG_2041')
  await expect(name).toBeVisible()
  expect(await name.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0)
  await page.getByRole('main').locator('img').click()
  await expect(page.getByRole('checkbox', { name: 'Select IMG_2041' })).toBeChecked()
})

test('an image in the trash offers no link to copy until it is restored', async ({ page, createAccount }) => {
  await signIn(page, await createAccount())
  const { id } = await upload(page, 72, 'three.png')
  await api(page.request).image.delete.mutate({ id })
  const { slug } = await api(page.request).image.get.query({ id })
  await page.goto(`/image/${slug}`)
  const copy = page.getByRole('button', { name: 'Copy link', exact: true })
  await expect(page.getByText('This image is in the trash.')).toBeVisible()
  await expect(copy).toHaveCount(0)
  await page.getByRole('button', { name: 'Restore' }).click()
  await expect(copy).toBeVisible()
})

test('images can be selected by keyboard alone: the focus moves to the button’s replacement, and Escape clears', async ({
  page,
  createAccount,
}) => {
  await signIn(page, await createAccount())
  await upload(page, 75, 'six.png')
  await page.goto('/')
  const begin = page.getByRole('button', { name: 'Select images' })
  const clear = page.getByRole('button', { name: 'Clear selection' })
  await begin.focus()
  await page.keyboard.press('Enter')
  await expect(clear).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await expect(page.getByText('1 selected')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(begin).toBeFocused()
  await expect(page.getByText('1 selected')).toHaveCount(0)
})

test('what is pressed before the page has its script, or its list, is done when it has', async ({
  page,
  createAccount,
}) => {
  await signIn(page, await createAccount())
  await upload(page, 76, 'seven.png')
  const { promise: script, resolve: sendScript } = Promise.withResolvers<void>()
  const { promise: months, resolve: sendMonths } = Promise.withResolvers<void>()
  await page.route('**/_next/static/**/*.js', (route) => script.then(() => route.continue()))
  await page.route(/trpc\/[^?]*image\.timeline/, (route) => months.then(() => route.continue()))
  await page.goto('/', { waitUntil: 'commit' })
  await page.getByRole('button', { name: 'Select images' }).click()
  sendScript()
  await page.getByRole('button', { name: 'Select all' }).click()
  await expect(page.getByRole('button', { name: 'Stop' })).toBeVisible()
  sendMonths()
  await expect(page.getByRole('button', { name: 'Select all' })).toBeVisible()
  await expect(page.getByText('1 selected')).toBeVisible()
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('selecting more images than a zip may contain shows a message', async ({ page, createAccount }) => {
    await signIn(page, await createAccount())
    await upload(page, 73, 'four.png')
    // The response of one image stands for a list of 101.
    await page.route(/trpc\/[^?]*image\.list/, async (route) => {
      const answer = await route.fetch()
      const [{ result }] = await answer.json()
      const [item] = result.data.items
      const items = Array.from({ length: 101 }, (_, at) => ({ ...item, id: `${item.id}-${at}` }))
      await route.fulfill({ json: [{ result: { data: { items, nextCursor: null } } }] })
    })
    await page.goto('/?sort=title')
    await page.getByRole('button', { name: 'Select images' }).click()
    await page.getByRole('button', { name: 'Select all' }).click()
    await page.getByRole('button', { name: 'Download as ZIP (max. 100)' }).click()
    await expect(page.getByRole('alertdialog')).toContainText('A ZIP file can hold 100 images. You selected 101.')
  })

  test('there is no prompt to drop files, and the trash shows the deletion date in one line', async ({
    page,
    createAccount,
  }) => {
    await signIn(page, await createAccount())
    await page.goto('/')
    await expect(page.getByRole('heading', { name: 'No images yet' })).toBeVisible()
    await expect(page.getByText('Drop images here')).toBeHidden()
    const { id } = await upload(page, 74, 'five.png')
    await api(page.request).image.delete.mutate({ id })
    await page.goto('/trash')
    const row = page.getByRole('list', { name: 'Images in the trash' }).getByRole('listitem')
    await expect(row).toContainText('Expires in 30 days', { useInnerText: true })
    await page.setViewportSize({ width: 700, height: 844 })
    await expect(row).toContainText('Expires in 30 days', { useInnerText: true })
  })
})
