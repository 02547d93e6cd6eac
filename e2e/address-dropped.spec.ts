import { expect, signIn, test } from './fixtures.ts'

const words = 'Links cannot be uploaded.'

test('a pasted or dropped URL gets a message, and opens nothing', async ({ page, createAccount }) => {
  await signIn(page, await createAccount())
  await page.goto('/')
  await expect(page.getByText('Drop images here')).toBeVisible()
  await page.evaluate(() => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', 'https://example.org/cat.jpg')
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  })
  await expect(page.getByText(words)).toBeVisible()
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await expect(page.getByText(words)).toHaveCount(0)

  const isLeftToTheBrowser = await page.evaluate(() => {
    const dataTransfer = new DataTransfer()
    dataTransfer.setData('text/uri-list', 'https://example.org/cat.jpg')
    const drag = (type: string) => new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true })
    return [drag('dragover'), drag('drop')].map((event) => document.body.dispatchEvent(event))
  })
  expect(isLeftToTheBrowser).toEqual([false, false])
  await expect(page.getByText(words)).toBeVisible()
})

test('an image dragged from the page itself is not uploaded again', async ({ page, createAccount }) => {
  await signIn(page, await createAccount())
  await page.goto('/')
  await expect(page.getByText('Drop images here')).toBeVisible()
  const drag = (...types: readonly string[]) =>
    page.evaluate((events) => {
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File(['a picture'], 'tile.jpg'))
      for (const type of events)
        document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }))
    }, types)
  const prompt = page.getByText('Drop to upload')
  await drag('dragover')
  await expect(prompt).toBeVisible()
  await drag('dragleave')
  await expect(prompt).toHaveCount(0)
  await drag('dragstart', 'dragover')
  await expect(prompt).toHaveCount(0)
  await drag('dragend', 'dragover')
  await expect(prompt).toBeVisible()
})
