import { rename, rm, writeFile } from 'node:fs/promises'
import { heicFile } from '../testing/images/heic-files.ts'
import { picture } from '../testing/images/pictures.ts'
import { expect, signIn, test } from './fixtures.ts'

/** Files on disk, each with a different picture. */
async function onDisk(folder: (name: string) => string, amount: number): Promise<string[]> {
  const paths = Array.from({ length: amount }, (_, index) => folder(`picture ${index}.jpg`))
  for (const [index, path] of paths.entries()) await writeFile(path, await picture({ seed: 300 + index }))
  return paths
}

test('a file that has disappeared from disk fails at once, and does not delay others', async ({
  page,
  createAccount,
}, testInfo) => {
  await signIn(page, await createAccount())
  const paths = await onDisk((name) => testInfo.outputPath(name), 4)
  const gate = Promise.withResolvers<void>()
  await page.route('**/api/trpc/image.upload', async (route) => {
    await gate.promise
    await route.continue()
  })
  await page.goto('/')
  await page.locator('input[type=file]').first().setInputFiles(paths)
  await expect(page.getByText('Uploading 1 of 4')).toBeVisible()
  await rm(paths[2] ?? '')
  gate.resolve()
  const tray = page.getByRole('region', { name: 'Uploads' })
  await expect(tray.getByText('3 uploaded, 1 failed').first()).toBeVisible()
  await expect(
    tray
      .getByRole('listitem')
      .filter({ hasText: 'picture 2.jpg' })
      .getByText('The file could not be read. It may have been moved or changed. Choose it again.'),
  ).toBeVisible()
})

test('a long right-to-left name is truncated at its end everywhere', async ({ page, createAccount }, testInfo) => {
  await signIn(page, await createAccount())
  const name = `${'صورة من السد '.repeat(6)}.jpg`
  const [path = ''] = await onDisk((file) => testInfo.outputPath(file), 1)
  await rename(path, testInfo.outputPath(name))
  await page.goto('/')
  await expect(page).toHaveTitle('Images · Sluice')
  await page.locator('input[type=file]').first().setInputFiles(testInfo.outputPath(name))
  const tray = page.getByRole('region', { name: 'Uploads' })
  await expect(tray.getByText('1 image uploaded').first()).toBeVisible()
  await expect(tray.getByRole('link')).toHaveCSS('direction', 'rtl')
  await tray.getByRole('link').click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveCSS('direction', 'rtl')
  await page.getByRole('button', { name: 'Move to trash' }).click()
  await expect(page.getByText('Image moved to trash.')).toBeVisible()
  await page.goto('/trash')
  await expect(page.getByRole('main').getByText('صورة من السد').first()).toHaveCSS('direction', 'rtl')
})

test('an expired session is reported once, and uploads resume after signing in in another tab', async ({
  page,
  context,
  createAccount,
}, testInfo) => {
  const account = await createAccount()
  await signIn(page, account)
  await page.goto('/')
  await expect(page).toHaveTitle('Images · Sluice')
  await context.clearCookies()
  let sent = 0
  page.on('request', (request) => {
    if (request.url().endsWith('/image.upload')) sent += 1
  })
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles(await onDisk((name) => testInfo.outputPath(name), 6))
  const tray = page.getByRole('region', { name: 'Uploads' })
  await expect(tray.getByText('You are signed out.', { exact: true })).toHaveCount(1)
  await expect(tray.getByText('Waiting for you to sign in')).toHaveCount(6)
  expect(sent).toBe(2)
  const [door] = await Promise.all([
    page.waitForEvent('popup'),
    tray.getByRole('link', { name: 'Sign in in another tab' }).click(),
  ])
  await door.getByLabel('User name').fill(account.username)
  await door.getByRole('textbox', { name: 'Password' }).fill(account.password)
  await door.keyboard.press('Enter')
  await expect(tray.getByText('6 images uploaded', { exact: true }).first()).toBeVisible()
})

test('only the visible files of a long queue are rendered, and others on scrolling', async ({
  page,
  createAccount,
}) => {
  await signIn(page, await createAccount())
  await page.goto('/')
  await expect(page).toHaveTitle('Images · Sluice')
  await page.route('**/api/trpc/image.upload', () => {})
  const buffer = await picture({ width: 16, height: 16 })
  const files = Array.from({ length: 120 }, (_, at) => ({ name: `${at + 1}.jpg`, mimeType: 'image/jpeg', buffer }))
  await page.locator('input[type=file]').first().setInputFiles(files)
  const rows = page.getByRole('region', { name: 'Uploads' }).getByRole('listitem')
  await expect(rows).toHaveCount(50)
  await rows.last().scrollIntoViewIfNeeded()
  await expect(rows).toHaveCount(100)
  // By keyboard: the focus scrolls the list's end into view.
  await rows.last().getByRole('button', { name: 'Cancel 100.jpg' }).focus()
  await expect(rows).toHaveCount(120)
})

test('files refused by a limit are shown as resuming automatically', async ({ page, createAccount }, testInfo) => {
  await signIn(page, await createAccount())
  await page.goto('/')
  await expect(page).toHaveTitle('Images · Sluice')
  const limit = { ruleSet: 'upload', rule: '60 per minute', parts: { limit: 60, window: 60_000 }, retryAfterMs: 30_000 }
  await page.route('**/api/trpc/image.upload', (route) =>
    route.fulfill({ status: 429, json: { error: { message: 'Too many', code: -32_029, data: { limit } } } }),
  )
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles(await onDisk((name) => testInfo.outputPath(name), 1))
  await expect(page.getByText(/^Resuming in \d+ s$/)).toBeVisible()
})

test('uploads are paused and resumed, one and all, and hold no place on the server meanwhile', async ({
  page,
  createAccount,
}, testInfo) => {
  await signIn(page, await createAccount())
  await page.goto('/')
  await expect(page).toHaveTitle('Images · Sluice')
  let [held, isHeld, aborted] = [0, true, 0]
  page.on('requestfailed', (request) => {
    if (request.url().endsWith('/image.upload')) aborted += 1
  })
  await page.route('**/api/trpc/image.upload', async (route) => {
    if (!isHeld) return route.continue()
    held += 1
  })
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles(await onDisk((name) => testInfo.outputPath(name), 4))
  const tray = page.getByRole('region', { name: 'Uploads' })
  const row = (name: string) => tray.getByRole('listitem').filter({ hasText: name })
  await expect.poll(() => held).toBe(2)

  // The next one takes the place of the paused one.
  await tray.getByRole('button', { name: 'Pause picture 3.jpg' }).press('Enter')
  await expect(row('picture 3.jpg').getByText(/^Paused · /)).toBeVisible()
  await expect(tray.getByRole('button', { name: 'Resume picture 3.jpg' })).toBeFocused()
  await tray.getByRole('button', { name: 'Pause all' }).press('Enter')
  await expect(tray.getByText('4 paused').first()).toBeVisible()
  await expect(tray.getByRole('button', { name: 'Resume all' })).toBeFocused()
  await expect.poll(() => aborted).toBe(2)
  await tray.getByRole('button', { name: 'Cancel picture 3.jpg' }).press('Enter')
  await expect(tray.getByText('3 paused').first()).toBeVisible()
  await expect(tray.getByRole('button', { name: /^Cancel / })).toHaveCount(3)
  await expect(tray.getByRole('button', { name: /^Cancel / }).and(page.locator(':focus'))).toHaveCount(1)

  isHeld = false
  await tray.getByRole('button', { name: 'Resume picture 1.jpg' }).click()
  await expect(tray.getByText('2 paused, 1 uploaded').first()).toBeVisible()
  await tray.getByRole('button', { name: 'Resume all' }).click()
  await expect(tray.getByText('3 images uploaded').first()).toBeVisible()
})

test('a HEIC is uploaded and said to be converted', async ({ page, createAccount }) => {
  await signIn(page, await createAccount())
  await page.goto('/')
  await expect(page).toHaveTitle('Images · Sluice')
  const file = { name: 'IMG_1.HEIC', mimeType: 'image/heic', buffer: heicFile() }
  await page.locator('input[type=file]').first().setInputFiles(file)
  const tray = page.getByRole('region', { name: 'Uploads' })
  await expect(tray.getByText('Uploaded, converted to JPEG')).toBeVisible()
  await page.locator('input[type=file]').first().setInputFiles(file)
  await expect(tray.getByText('Already here', { exact: true })).toBeVisible()
})
