import { picture } from '../testing/images/pictures.ts'
import { freePort } from '../testing/servers/free-port.ts'
import { api, test as base, expect, signIn } from './fixtures.ts'

/** A webhook that does not respond, so that jobs fail and are retried. */
const test = base.extend<object, { settings: Record<string, string> }>({
  settings: [
    async ({ browserName: _ }, use) =>
      use({ SLUICE_WEBHOOK: `http://127.0.0.1:${await freePort()}/`, SLUICE_WEBHOOK_PRIVATE: 'on' }),
    { scope: 'worker' },
  ],
})

test('each button names its job, and discarding a job asks for confirmation', async ({ page, owner }) => {
  await signIn(page, owner)
  const bytes = await picture({ format: 'png', width: 64, height: 48, seed: 90 })
  await api(page.request).image.upload.mutate(new File([new Uint8Array(bytes)], 'told.png'))
  await page.goto('/admin/jobs')
  await page.getByRole('button', { name: 'Send test event' }).click()
  const jobs = page.getByRole('list', { name: 'Jobs' }).getByRole('listitem')
  await expect(jobs.getByText('Retrying', { exact: true })).toHaveCount(2)

  const discard = page.getByRole('button', { name: /^Discard Image webhook 1 of 7 attempts, next \d+ \w+ \d{4}/ })
  await expect(page.getByRole('button', { name: /^Retry now Image webhook 1 of 7 attempts, next/ })).toHaveCount(1)
  await expect(page.getByRole('button', { name: /^Retry now Webhook \d+ of 15 attempts, next/ })).toHaveCount(1)
  await discard.click()
  const question = page.getByRole('alertdialog', { name: 'Discard “Image webhook”?' })
  await expect(question).toContainText('The event is never delivered.')
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(question).toHaveCount(0)
  await expect(discard).toHaveCount(1)
  await discard.click()
  await question.getByRole('button', { name: 'Discard job' }).click()
  await expect(discard).toHaveCount(0)
  await expect(jobs).toHaveCount(1)
})
