import { rename, rm, writeFile } from 'node:fs/promises'
import { picture } from '../testing/pictures.ts'
import { expect, signIn, test } from './fixtures.ts'

/** Files on the disk, each its own picture. */
async function onDisk(folder: (name: string) => string, amount: number): Promise<string[]> {
  const paths = Array.from({ length: amount }, (_, index) => folder(`picture ${index}.jpg`))
  for (const [index, path] of paths.entries()) await writeFile(path, await picture({ seed: 300 + index }))
  return paths
}

test('a file that is gone from the disk when its turn comes is told of at once, and holds up no other', async ({
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
  await expect(tray.getByText('3 uploaded, 1 not')).toBeVisible()
  await expect(
    tray
      .getByRole('listitem')
      .filter({ hasText: 'picture 2.jpg' })
      .getByText('The file could not be read: was it moved or changed? Choose it again.'),
  ).toBeVisible()
})

test('a long name that is written from right to left is cut at its end, wherever it stands', async ({
  page,
  createAccount,
}, testInfo) => {
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
  await page.goto('/trash')
  await expect(page.getByRole('main').getByText('صورة من السد').first()).toHaveCSS('direction', 'rtl')
})
