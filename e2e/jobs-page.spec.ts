import { freePort } from '../testing/free-port.ts'
import { picture } from '../testing/pictures.ts'
import { api, test as base, expect, signIn } from './fixtures.ts'

/** A webhook that leads nowhere, so that jobs fail and wait. */
const test = base.extend<object, { settings: Record<string, string> }>({
  settings: [
    async ({ browserName: _ }, use) =>
      use({ SLUICE_WEBHOOK: `http://127.0.0.1:${await freePort()}/`, SLUICE_WEBHOOK_PRIVATE: 'on' }),
    { scope: 'worker' },
  ],
})

test('each button is named by its job, and a job is discarded only when one has said so twice', async ({
  page,
  owner,
}) => {
  await signIn(page, owner)
  const bytes = await picture({ format: 'png', width: 64, height: 48, seed: 90 })
  await api(page.request).image.upload.mutate(new File([new Uint8Array(bytes)], 'told.png'))
  await page.goto('/admin/jobs')
  await page.getByRole('button', { name: 'Send a test' }).click()
  const jobs = page.getByRole('list', { name: 'Jobs' }).getByRole('listitem')
  await expect(jobs.getByText('To be tried again')).toHaveCount(2)

  const discard = page.getByRole('button', { name: /^Discard Webhook, of images 1 of 7 attempts, next \d+ \w+ \d{4}/ })
  await expect(page.getByRole('button', { name: /^Try now Webhook, of images 1 of 7 attempts, next/ })).toHaveCount(1)
  await expect(page.getByRole('button', { name: /^Try now Webhook \d+ of 15 attempts, next/ })).toHaveCount(1)
  await discard.click()
  const question = page.getByRole('alertdialog', { name: 'Discard “Webhook, of images”?' })
  await expect(question).toContainText('never told of this event')
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(question).toHaveCount(0)
  await expect(discard).toHaveCount(1)
  await discard.click()
  await question.getByRole('button', { name: 'Discard job' }).click()
  await expect(discard).toHaveCount(0)
  await expect(jobs).toHaveCount(1)
})
