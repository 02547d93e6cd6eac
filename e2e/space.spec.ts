import { readFile } from 'node:fs/promises'
import { readZip } from '../testing/http/read-zip.ts'
import { picture } from '../testing/images/pictures.ts'
import { api, expect, signIn, test } from './fixtures.ts'

const makeFile = (bytes: Uint8Array, name: string) => new File([new Uint8Array(bytes)], name)

test('a user with a full quota sees the figures, and frees space by emptying the trash', async ({
  page,
  owner,
  createAccount,
}) => {
  const account = await createAccount()
  const [first, second] = [await picture({ format: 'png' }), await picture({ format: 'png', seed: 2 })]
  await signIn(page, account)
  const { size } = await api(page.request).image.upload.mutate(makeFile(first, 'first.png'))

  await signIn(page, owner)
  const [user] = (await api(page.request).user.list.query({ search: account.username })).items
  await api(page.request).user.update.mutate({ id: user?.id ?? '', quotaBytes: size + 1000 })

  await signIn(page, account)
  await page.goto('/')
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles({ name: 'second.png', mimeType: 'image/png', buffer: second })
  const tray = page.getByRole('region', { name: 'Uploads' })
  await expect(tray.getByText(/^Not enough storage for this file \(\d+ KiB\)\.$/)).toBeVisible()
  await expect(tray.getByRole('meter', { name: 'Storage' })).toHaveAttribute('aria-valuetext', / used, 1,000 B free$/)
  await page.goto('/account')
  await expect(page.getByRole('meter', { name: 'Storage' })).toBeVisible()

  await page.goto('/')
  await page.getByRole('link', { name: 'first' }).focus()
  await page.keyboard.press('Delete')
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles({ name: 'second.png', mimeType: 'image/png', buffer: second })
  await tray.getByRole('link', { name: 'empty the trash' }).click()
  await page.getByRole('button', { name: 'Delete first permanently' }).click()
  await page.getByRole('button', { name: 'Delete permanently' }).click()
  await expect(tray.getByRole('meter')).toHaveAttribute('aria-valuetext', /^0 B of /)
  await tray.getByRole('button', { name: 'Retry second.png' }).click()
  await expect(tray.getByText('Uploaded', { exact: true })).toBeVisible()
})

test('a superadmin sets a quota in GiB, and removes it', async ({ page, owner, createAccount }) => {
  const { username } = await createAccount()
  await signIn(page, owner)
  await page.goto('/admin/users')
  await page.getByRole('searchbox', { name: 'Search users' }).fill(username)
  const row = page.getByRole('list', { name: 'Users' }).getByRole('listitem').filter({ hasText: username })
  const open = async () => {
    await row.getByRole('button', { name: `Actions for ${username}` }).click()
    await page.getByRole('menuitem', { name: 'Set storage quota' }).click()
  }
  await open()
  await page.getByRole('radio', { name: 'Custom' }).check({ force: true })
  await page.getByRole('textbox', { name: 'Quota in GiB' }).fill('2.5')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(row.getByText('0 B of 2.5 GiB').last()).toBeVisible()
  await open()
  await page.getByRole('radio', { name: 'Site default' }).check({ force: true })
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(row.getByText('0 B', { exact: true }).last()).toBeVisible()
  await page.goto('/admin/jobs')
  await expect(page.getByRole('heading', { name: 'Maintenance' })).toBeVisible()
})

test('the trash shows when images are deleted permanently, in order of deletion', async ({ page, createAccount }) => {
  await signIn(page, await createAccount())
  const ids: string[] = []
  for (const [seed, name] of ['old.png', 'new.png'].entries()) {
    const bytes = await picture({ format: 'png', width: 64, height: 48, seed })
    ids.push((await api(page.request).image.upload.mutate(makeFile(bytes, name))).id)
  }
  for (const id of ids.toReversed()) await api(page.request).image.delete.mutate({ id })
  await page.goto('/trash')
  const rows = page.getByRole('list', { name: 'Images in the trash' }).getByRole('listitem')
  await expect(rows.first()).toContainText('old')
  await expect(rows.first()).toContainText(/on \d+ \w+ \d{4}, in 30 days/)
})

test('a click during an outage waits on the current page', async ({ page, context, createAccount, problems }) => {
  await signIn(page, await createAccount())
  await page.goto('/')
  await expect(page.getByText('Drop images here')).toBeVisible()
  await context.setOffline(true)
  await page.getByRole('link', { name: 'Trash' }).first().click()
  await expect(page.getByText('The server cannot be reached.')).toBeVisible()
  expect(new URL(page.url()).pathname).toBe('/')
  await context.setOffline(false)
  await expect(page).toHaveURL(/\/trash$/)
  await expect(page.getByText('The server cannot be reached.')).toHaveCount(0)
  expect(problems).toEqual([])
})

test('many images at once: one zip, one call each to change visibility, trash and restore', async ({
  page,
  createAccount,
}) => {
  await signIn(page, await createAccount())
  for (const [seed, name] of ['one.png', 'two.png', 'two.png'].entries()) {
    const bytes = await picture({ format: 'png', width: 64, height: 48, seed: seed + 50 })
    await api(page.request).image.upload.mutate(makeFile(bytes, name))
  }
  const calls: string[] = []
  page.on('request', (request) => {
    const called = /trpc\/image\.(\w+)/.exec(request.method() === 'POST' ? request.url() : '')?.[1]
    if (called) calls.push(called)
  })
  const selectAll = async () => {
    await page.getByRole('button', { name: 'Select images' }).click()
    await page.getByRole('button', { name: 'Select all' }).click()
    await expect(page.getByText('3 selected')).toBeVisible()
  }
  await page.goto('/')
  await selectAll()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download 3 as ZIP' }).click(),
  ])
  expect(download.suggestedFilename()).toMatch(/^images-\d{4}-\d\d-\d\d\.zip$/)
  const files = readZip(await readFile(await download.path()))
  expect(files.map(({ name }) => name).sort()).toEqual(['one.png', 'two (2).png', 'two.png'])

  await page.getByRole('button', { name: 'Visibility' }).click()
  await page.getByRole('menuitem', { name: 'Private' }).click()
  await page.getByRole('button', { name: 'Make private' }).click()
  await expect(page.getByText('3 images are now private.')).toBeVisible()
  await selectAll()
  await page.getByRole('button', { name: 'Move to trash' }).click()
  const gone = page.getByRole('alertdialog').filter({ hasText: '3 images moved to trash.' })
  await gone.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('3 images restored.')).toBeVisible()
  await expect(page.getByRole('list', { name: 'Your images' }).getByRole('listitem')).toHaveCount(3)
  expect(calls).toEqual(['downloadMany', 'setVisibilityMany', 'deleteMany', 'restoreMany'])
})

test('select all includes images that are not loaded, and one undo restores a deletion in two steps', async ({
  page,
  createAccount,
}) => {
  await signIn(page, await createAccount())
  for (const seed of [60, 61, 62]) {
    const bytes = await picture({ format: 'png', width: 64, height: 48, seed })
    await api(page.request).image.upload.mutate(makeFile(bytes, `picture ${seed}.png`))
  }
  // A page of the list has two images here, and scrolling loads no others.
  await page.route(/trpc\/[^?]*image\.list/, (route) => {
    const url = new URL(route.request().url())
    const input = url.searchParams.get('input') ?? ''
    if (input.includes('"limit":40') && input.includes('"cursor"')) return
    url.searchParams.set('input', input.replace('"limit":40', '"limit":2'))
    return route.continue({ url: url.href })
  })
  const tiles = page.getByRole('list', { name: 'Your images' }).getByRole('listitem')
  const toast = page.getByRole('alertdialog')
  await page.goto('/?sort=title')
  await expect(tiles).toHaveCount(2)
  await tiles.first().getByRole('link').focus()
  await page.keyboard.press('Control+a')
  await expect(page.getByText('3 selected')).toBeVisible()
  await page.keyboard.press('Delete')
  await expect(toast).toContainText('3 images moved to trash.')
  await toast.getByRole('button', { name: 'Undo' }).click()
  await expect(toast).toContainText('3 images restored.')

  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.goto('/')
  await expect(tiles).toHaveCount(3)
  await tiles.first().getByRole('link').focus()
  await page.keyboard.press('Delete')
  await expect(tiles).toHaveCount(2)
  await page.keyboard.press('Delete')
  await expect(toast).toHaveCount(1)
  await expect(toast).toContainText('2 images moved to trash.')
  await toast.getByRole('button', { name: 'Undo' }).click()
  await expect(tiles).toHaveCount(3)
})
