import { picture } from '../testing/images/pictures.ts'
import { expect, signIn, test } from './fixtures.ts'

test.use({ settings: { SLUICE_GUEST_UPLOAD: 'approval' } })

const file = async (name: string, seed: number) => ({
  name,
  mimeType: 'image/jpeg',
  buffer: await picture({ width: 900, height: 600, seed }),
})

test('a guest without script uploads, an admin approves, and the guest deletes the image', async ({
  page,
  owner,
  browser,
  sluice,
}) => {
  const guest = await browser.newPage({ baseURL: sluice.origin, javaScriptEnabled: false })
  await guest.goto('/')
  await guest.getByRole('link', { name: 'Upload without an account' }).click()
  await guest.getByLabel('Images', { exact: true }).setInputFiles([await file('quay.jpg', 910)])
  await guest.getByRole('button', { name: 'Upload' }).click()
  await expect(guest.getByText('The image waits for approval.')).toBeVisible()
  const [link = '', deletion = ''] = await guest
    .getByRole('list', { name: 'Your images' })
    .getByRole('link')
    .evaluateAll((links) => links.map((each) => each.getAttribute('href') ?? ''))
  expect(guest.url()).toBe(`${sluice.origin}/upload`)
  expect((await guest.request.get(link)).status()).toBe(404)

  await signIn(page, owner)
  await page.goto('/admin/reports')
  await page.getByRole('radio', { name: 'Awaiting approval' }).check()
  const row = page.getByRole('listitem').filter({ hasText: 'quay' })
  await row.getByRole('button', { name: 'Approve' }).click()
  await expect(page.getByText('Image approved. Its link works now.')).toBeVisible()
  await expect(row).toHaveCount(0)
  expect((await guest.request.get(link)).status()).toBe(200)

  await guest.goto(deletion)
  await guest.getByRole('button', { name: 'Delete' }).click()
  await expect(guest.getByRole('heading', { name: 'Image deleted' })).toBeVisible()
  expect((await guest.request.get(link)).status()).toBe(404)
})

test('a guest sees progress, links and why a file was refused, and an admin rejects an image', async ({
  page,
  owner,
  browser,
  sluice,
}) => {
  const guest = await browser.newPage({ baseURL: sluice.origin })
  await guest.goto('/upload')
  await guest
    .getByLabel('Images', { exact: true })
    .setInputFiles([
      await file('pier.jpg', 911),
      { name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('no') },
      { ...(await file('torn.jpg', 912)), buffer: (await picture({ seed: 912 })).subarray(0, 4_000) },
    ])
  const rows = guest.getByRole('list', { name: 'Your images' }).locator(':scope > li')
  await expect(rows.filter({ hasText: 'torn.jpg' })).toContainText('The file is damaged and cannot be decoded.')
  await expect(rows.filter({ hasText: 'torn.jpg' }).getByRole('button')).toHaveCount(0)
  await expect(rows.filter({ hasText: 'pier.jpg' })).toContainText('/delete/')
  await expect(rows.filter({ hasText: 'a.txt' })).toContainText('This file type is not supported.')

  await signIn(page, owner)
  await page.goto('/admin/reports')
  await page.getByRole('radio', { name: 'Awaiting approval' }).check()
  const row = page.getByRole('listitem').filter({ hasText: 'pier' })
  await row.getByRole('button', { name: 'Reject' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Reject' }).click()
  await expect(page.getByText('Image rejected.')).toBeVisible()
  await expect(row).toHaveCount(0)
})
