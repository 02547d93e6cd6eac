import { picture } from '../testing/images/pictures.ts'
import { api, expect, signIn, test } from './fixtures.ts'

test('links of several images are copied in a chosen format, which is remembered', async ({
  page,
  context,
  createAccount,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await signIn(page, await createAccount())
  const { image } = api(page.request)
  for (const seed of [901, 902]) {
    const bytes = await picture({ width: 60, height: 40, seed })
    await image.upload.mutate(new File([new Uint8Array(bytes)], `[quay] ${seed}.jpg`))
  }
  const { items } = await image.list.query()
  const read = () => page.evaluate(() => navigator.clipboard.readText())
  await page.goto('/')
  await page.getByRole('button', { name: 'Select images' }).click()
  await page.getByRole('button', { name: 'Select all' }).click()
  await page.getByRole('button', { name: 'Copy links' }).click()
  await expect.poll(read).toBe(items.map(({ url }) => url).join('\n'))

  await page.getByRole('button', { name: 'Link format' }).click()
  await expect(page.getByRole('menuitemradio', { name: 'Direct link' })).toBeChecked()
  await page.getByRole('menuitemradio', { name: 'Markdown' }).click()
  const markdown = items.map(({ url, title }) => `![${title?.replace(/[[\]]/g, '\\$&')}](${url})`).join('\n')
  await expect.poll(read).toBe(markdown)
  await expect(page.getByText('Markdown of 2 images copied.')).toBeVisible()

  await page.evaluate(() => navigator.clipboard.writeText(''))
  // The selection stays.
  await page.reload()
  await page.getByRole('button', { name: 'Copy links' }).click()
  await expect.poll(read).toBe(markdown)
  await page.getByRole('button', { name: 'Link format' }).focus()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('menuitemradio', { name: 'Markdown' })).toBeChecked()
})
