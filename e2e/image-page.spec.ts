import type { Page } from '@playwright/test'
import { picture } from '../testing/images/pictures.ts'
import { type Account, api, expect, signIn, test } from './fixtures.ts'

/** Signs in with three images, the newest first: `picture 3`. Returns the last one uploaded. */
async function withImages(page: Page, account: Account) {
  await signIn(page, account)
  const images = []
  for (const seed of [1, 2, 3]) {
    const bytes = await picture({ width: 300, height: 200, seed })
    images.push(await api(page.request).image.upload.mutate(new File([new Uint8Array(bytes)], `picture ${seed}.jpg`)))
  }
  const [image] = images
  if (!image) throw new Error('No image was uploaded.')
  return image
}

const open = async (page: Page, title: string) => {
  await page.goto('/')
  await page.getByRole('link', { name: title }).click()
  await expect(page.getByRole('heading', { name: title })).toBeVisible()
}

test('an arrow key does not invalidate the link without confirmation', async ({ page, createAccount }) => {
  const { slug } = await withImages(page, await createAccount())
  await page.goto(`/image/${slug}`)
  const link = page.getByRole('radio', { name: /^Anyone with the link/ })
  const own = page.getByRole('radio', { name: /^Private/ })
  await link.press('ArrowUp')
  const question = page.getByRole('alertdialog', { name: 'Make this image private?' })
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(question).toHaveCount(0)
  await expect(link).toBeChecked()
  expect((await api(page.request).image.get.query({ slug })).visibility).toBe('link')

  await own.press('Space')
  await question.getByRole('button', { name: 'Make private' }).click()
  await expect(own).toBeChecked()
  await expect(page).not.toHaveURL(new RegExp(slug))
})

test('by keyboard: the focus stays in place, and Delete moves the image to the trash', async ({
  page,
  createAccount,
}) => {
  await withImages(page, await createAccount())
  await open(page, 'picture 3')
  await page.getByRole('button', { name: 'Next image' }).press('Enter')
  await expect(page.getByRole('heading', { name: 'picture 2' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Next image' })).toBeFocused()

  const pencil = page.getByRole('button', { name: 'Edit title' })
  await pencil.press('Enter')
  await page.keyboard.type('the second')
  await page.keyboard.press('Delete')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'the second' })).toBeVisible()
  await expect(pencil).toBeFocused()
  await pencil.press('Enter')
  // From the button as well.
  await page.keyboard.press('Tab')
  await page.keyboard.press('Escape')
  await expect(pencil).toBeFocused()

  await page.getByRole('button', { name: 'Add description' }).press('Enter')
  await page.keyboard.type('By the weir.')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('By the weir.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Edit description' })).toBeFocused()

  await page.keyboard.press('Delete')
  await expect(page.getByRole('heading', { name: 'picture 1' })).toBeVisible()
  await expect(page.getByText('Image moved to trash.')).toBeVisible()
})

test('what has the focus in the panel keeps it when another image is shown, and what was begun for this one goes', async ({
  page,
  createAccount,
}) => {
  await withImages(page, await createAccount())
  await open(page, 'picture 3')
  await page.getByRole('button', { name: 'Edit title' }).click()
  await page.getByRole('textbox', { name: 'Title' }).fill('not for the second')
  const copy = page.getByRole('button', { name: 'Copy link' })
  await copy.focus()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('heading', { name: 'picture 2' })).toBeVisible()
  await expect(copy).toBeFocused()

  const trash = page.getByRole('button', { name: 'Move to trash' })
  await trash.press('Enter')
  await expect(page.getByRole('heading', { name: 'picture 1' })).toBeVisible()
  await expect(trash).toBeFocused()
})

test('the browser’s back and forward buttons open the image in the address', async ({ page, createAccount }) => {
  await withImages(page, await createAccount())
  await open(page, 'picture 3')
  await page.getByRole('button', { name: 'Next image' }).press('Enter')
  await expect(page.getByRole('heading', { name: 'picture 2' })).toBeVisible()
  const address = page.url()
  await page.goBack()
  await expect(page.getByRole('link', { name: 'picture 3' })).toBeVisible()
  await page.goForward()
  await expect(page).toHaveURL(address)
  await expect(page.getByRole('heading', { name: 'picture 2' })).toBeVisible()
  await expect(page).toHaveTitle('picture 2 · Sluice')
  await page.getByRole('button', { name: 'Next image' }).press('Enter')
  await expect(page.getByRole('heading', { name: 'picture 1' })).toBeVisible()
  await expect(page).toHaveTitle('picture 1 · Sluice')
})

test('a title that another tab has changed is reported, and replaced only on request', async ({
  page,
  context,
  createAccount,
}) => {
  const { slug } = await withImages(page, await createAccount())
  const other = await context.newPage()
  for (const [tab, title] of [
    [page, 'mine'],
    [other, 'theirs'],
  ] as const) {
    await tab.goto(`/image/${slug}`)
    await tab.getByRole('button', { name: 'Edit title' }).click()
    await tab.getByRole('textbox', { name: 'Title' }).fill(title)
  }
  await other.getByRole('button', { name: 'Save' }).click()
  await expect(other.getByRole('heading', { name: 'theirs' })).toBeVisible()

  const save = page.getByRole('button', { name: 'Save' })
  await save.click()
  await expect(
    page.getByText('The title was changed to “theirs” in the meantime. Save again to replace it.'),
  ).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Title' })).toHaveValue('mine')
  expect((await api(page.request).image.get.query({ slug })).title).toBe('theirs')
  await save.click()
  await expect(page.getByRole('heading', { name: 'mine' })).toBeVisible()
  expect((await api(page.request).image.get.query({ slug })).title).toBe('mine')
})

test('a paragraph in another direction begins at its own side, and the label of the download has room', async ({
  page,
  createAccount,
}) => {
  const { id, slug } = await withImages(page, await createAccount())
  await api(page.request).image.update.mutate({ id, description: 'A weir.\n\nسد على النهر.' })
  for (const width of [380, 1440]) {
    await page.setViewportSize({ width, height: 800 })
    await page.goto(`/image/${slug}`)
    const ends = await page.getByText('A weir.').evaluate((paragraph) => {
      const lines = document.createRange()
      lines.selectNodeContents(paragraph)
      const [first, last] = [lines.getClientRects()[0], [...lines.getClientRects()].at(-1)]
      const box = paragraph.getBoundingClientRect()
      return [(first?.left ?? 0) - box.left, box.right - (last?.right ?? 0)].map(Math.round)
    })
    expect(ends).toEqual([0, 0])
    const label = page
      .getByRole('button', { name: /^Download original/ })
      .locator('span')
      .first()
    expect(await label.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
  }
})

test('deleting a selected image moves the focus to its neighbour', async ({ page, createAccount }) => {
  await withImages(page, await createAccount())
  await page.goto('/')
  // The tiles are in the HTML, before there is script to hear keys; the count of a month is not.
  await expect(page.getByText('3 images')).toBeVisible()
  const tile = page.getByRole('link', { name: 'picture 2' })
  await tile.press('Space')
  await expect(page.getByText('1 selected')).toBeVisible()
  await tile.press('Delete')
  await expect(page.getByText('Image moved to trash.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'picture 1' })).toBeFocused()
})

test('swiping goes to the next image and back', async ({ browser, sluice, createAccount }) => {
  const context = await browser.newContext({
    baseURL: sluice.origin,
    hasTouch: true,
    viewport: { width: 390, height: 800 },
  })
  const page = await context.newPage()
  await withImages(page, await createAccount())
  await open(page, 'picture 3')
  const client = await context.newCDPSession(page)
  const swipe = async (from: number, to: number) => {
    for (const [type, x] of [
      ['touchStart', from],
      ['touchMove', to],
      ['touchEnd', null],
    ] as const)
      await client.send('Input.dispatchTouchEvent', { type, touchPoints: x === null ? [] : [{ x, y: 200 }] })
  }
  await swipe(300, 100)
  await expect(page.getByRole('heading', { name: 'picture 2' })).toBeVisible()
  await swipe(100, 300)
  await expect(page.getByRole('heading', { name: 'picture 3' })).toBeVisible()
  await context.close()
})

test('the page can be shared by the device if it supports that', async ({ page, createAccount }) => {
  await page.addInitScript(() => {
    Object.assign(navigator, {
      share: (data: ShareData) => {
        document.title = `shared ${data.url}`
        return Promise.resolve()
      },
    })
  })
  const { slug, url } = await withImages(page, await createAccount())
  await page.goto(`/image/${slug}`)
  const address = new URL(`/image/${slug}`, url).href
  await page.getByRole('button', { name: 'Send link' }).click()
  await expect(page).toHaveTitle(`shared ${address}`)
})

test('links are copied in a remembered format, from the page, a tile, by key and by hand', async ({
  page,
  context,
  createAccount,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const { slug, url } = await withImages(page, await createAccount())
  const address = new URL(`/image/${slug}`, url).href
  const copied = () => page.evaluate(() => navigator.clipboard.readText())
  const said = (text: string) => expect(page.getByRole('alertdialog').getByText(text, { exact: true })).toBeVisible()
  await page.goto(`/image/${slug}`)
  await page.getByRole('button', { name: 'Copy link' }).click()
  await said('Direct link copied.')
  expect(await copied()).toBe(url)
  await page.getByRole('combobox', { name: 'Format' }).selectOption('Page link')
  await expect(page.getByRole('textbox', { name: 'Link in this format' })).toHaveValue(address)
  await page.getByRole('combobox', { name: 'Format' }).blur()
  await page.keyboard.press('c')
  await said('Page link copied.')
  expect(await copied()).toBe(address)

  await page.goto('/')
  const tile = page.getByRole('link', { name: 'picture 1' })
  await tile.hover()
  await page.getByRole('button', { name: 'Copy link of picture 1' }).click()
  await said('Page link copied.')
  expect(await copied()).toBe(address)
  await tile.press('ArrowLeft')
  await page.keyboard.press('Space')
  await tile.press('Space')
  await page.keyboard.press('c')
  await said('2 page links copied.')
  expect((await copied()).split('\n')).toContain(address)
  await page.keyboard.press('Escape')

  await page.evaluate(() => {
    Object.assign(navigator.clipboard, { writeText: () => Promise.reject(new Error('refused')) })
    document.execCommand = () => false
  })
  await tile.press('c')
  const byHand = page.getByRole('dialog', { name: 'Copy by hand' })
  await expect(byHand.getByRole('textbox', { name: 'Text to copy' })).toBeFocused()
  expect(await page.evaluate(() => String(window.getSelection()))).toBe(address)
  await page.keyboard.press('Escape')
  await expect(byHand).toHaveCount(0)
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('Copy link')).toBeVisible()
})

test('copying the link of a private image says that it works for nobody else, and offers to change that', async ({
  page,
  context,
  createAccount,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const { id, url } = await withImages(page, await createAccount())
  const hidden = await api(page.request).image.update.mutate({ id, visibility: 'private' })
  expect(hidden.url).not.toBe(url)
  const note = 'The image is private: nobody else can open its link.'
  const toast = page.getByRole('alertdialog').filter({ hasText: note })
  await page.goto('/')
  await page.getByRole('link', { name: 'picture 1' }).press('c')
  await expect(toast).toContainText('Direct link copied.')
  await page.goto(`/image/${hidden.slug}`)
  await page.getByRole('button', { name: 'Copy link' }).click()
  await toast.getByRole('button', { name: 'Make unlisted' }).click()
  await expect(page.getByText('Anyone with the link can open the image now.')).toBeVisible()
  await expect(page.getByRole('radio', { name: /^Anyone with the link/ })).toBeChecked()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(hidden.url)
  expect((await page.request.get(hidden.url ?? '', { headers: { cookie: '' } })).status()).toBe(200)
  expect((await api(page.request).image.get.query({ slug: hidden.slug ?? '' })).visibility).toBe('link')
})

test('saving an image takes one permit of downloads', async ({ page, createAccount }) => {
  const { slug } = await withImages(page, await createAccount())
  const taken = async () => {
    const { rules } = await api(page.request).limits.mine.query()
    const own = rules.filter(({ ruleSet }) => ruleSet === 'download')
    return own.map(({ limit, remaining }) => limit - remaining)
  }
  await page.goto(`/image/${slug}`)
  await expect(page.getByRole('img', { name: 'picture 1' })).toBeVisible()
  expect(await taken()).toEqual([0, 0, 0])
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: /^Download original/ }).click()
  await (await download).path()
  expect(await taken()).toEqual([1, 1, 1])
})

test('a visitor with a link is not asked to sign in', async ({ page, browser, sluice, createAccount }) => {
  const { slug } = await withImages(page, await createAccount())
  const context = await browser.newContext({ baseURL: sluice.origin })
  const guest = await context.newPage()
  await guest.goto(`/image/${slug}`)
  await expect(guest.getByRole('heading', { name: 'picture 1' })).toBeVisible()
  await expect(guest.getByRole('link', { name: 'Sign in' })).toBeVisible()
  await expect(guest.getByRole('button', { name: 'Back' })).toHaveCount(0)
  await guest.keyboard.press('Escape')
  expect(new URL(guest.url()).pathname).toBe(`/image/${slug}`)
  await guest.goto('/image/nothing-here')
  await expect(guest.getByRole('heading', { name: 'Not found' })).toBeVisible()
  await expect(guest.getByRole('link', { name: 'Go to images', exact: true })).toHaveCount(0)
  await context.close()
})

test('a visitor copies the link and saves the original, and the page shows what a limit refuses', async ({
  page,
  browser,
  sluice,
  createAccount,
}) => {
  const { slug, url } = await withImages(page, await createAccount())
  const context = await browser.newContext({
    baseURL: sluice.origin,
    permissions: ['clipboard-read', 'clipboard-write'],
    extraHTTPHeaders: { 'x-forwarded-for': '198.51.100.77' },
  })
  const guest = await context.newPage()
  const taken = async () => {
    const { rules } = await api(context.request).limits.mine.query()
    const own = rules.filter(({ ruleSet }) => ruleSet === 'download')
    return own.map(({ limit, remaining }) => limit - remaining)
  }
  await guest.goto(`/image/${slug}`)
  await guest.getByRole('button', { name: 'Copy link' }).click()
  await expect(guest.getByText('Direct link copied.')).toBeVisible()
  expect(await guest.evaluate(() => navigator.clipboard.readText())).toBe(url)
  await guest.getByRole('combobox', { name: 'Format' }).selectOption('BBCode')
  await guest.getByRole('combobox', { name: 'Format' }).blur()
  await guest.keyboard.press('c')
  await expect(guest.getByText('BBCode copied.')).toBeVisible()
  expect(await taken()).toEqual([0, 0, 0])
  const save = guest.getByRole('button', { name: /^Download original/ })
  const download = guest.waitForEvent('download')
  await save.click()
  await (await download).path()
  expect(await taken()).toEqual([1, 1, 1])

  for (let status = 206; status === 206; ) {
    status = (await context.request.get(url, { headers: { range: 'bytes=0-0' } })).status()
  }
  await save.click()
  await expect(guest.getByText('Downloads of originals: 100 per minute')).toBeVisible()
  await expect(save).toBeDisabled()
  await context.close()
})

test('without script a visitor sees the image and saves the original', async ({
  page,
  browser,
  sluice,
  createAccount,
}) => {
  const { slug } = await withImages(page, await createAccount())
  const context = await browser.newContext({ baseURL: sluice.origin, javaScriptEnabled: false })
  const guest = await context.newPage()
  await guest.goto(`/image/${slug}`)
  await expect(guest.getByRole('img', { name: 'picture 1' })).toBeVisible()
  await expect(guest.getByText('300 × 200')).toBeVisible()
  await expect(guest.getByRole('button', { name: 'Copy link' })).toBeHidden()
  const download = guest.waitForEvent('download')
  await guest.getByRole('button', { name: /^Download original/ }).click()
  expect((await download).suggestedFilename()).toMatch(/\.jpg$/)
  await context.close()
})
