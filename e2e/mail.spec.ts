import type { Page } from '@playwright/test'
import {
  type ReceivedMail,
  readHeader,
  readLink,
  readPart,
  startMailServer,
  type TestMailServer,
} from '../testing/servers/mail-server.ts'
import { test as base, expect, signIn } from './fixtures.ts'
import { findBarriers } from './page-checks.ts'

const relay = { user: 'sluice@example.org', password: 'of the relay' }

/** A mail server with a password, which knows no mailbox that begins with `gone`. */
const test = base.extend<object, { mailServer: TestMailServer }>({
  mailServer: [
    async ({ browserName: _ }, use) => {
      const refuse = (to: string) => (to.startsWith('gone') ? { code: 550, text: '5.1.1 no such mailbox' } : null)
      await using server = await startMailServer({ account: relay, startTls: true, refuse })
      await use(server)
    },
    { scope: 'worker' },
  ],
})

/** Waits for the next mail to an address. */
async function nextMail(server: TestMailServer, to: string, subject: string): Promise<ReceivedMail> {
  const find = () =>
    server.received.findLast((mail) => mail.to.includes(to) && readHeader(mail, 'Subject') === subject) ?? null
  await expect.poll(find, { timeout: 30_000 }).not.toBeNull()
  return find() ?? { raw: '', from: '', to: [], isSecure: false, user: null }
}

/** Enters the mail server at Admin > Site. */
async function setUpMail(page: Page, port: number): Promise<void> {
  await page.goto('/admin/site')
  await page.getByLabel('Mail server').fill(`smtp://${encodeURIComponent(relay.user)}@127.0.0.1:${port}`)
  await page.getByLabel('Mail password').fill(relay.password)
  await page.getByLabel('Sender').fill('sluice@example.org')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Settings saved.')).toBeVisible()
}

test('an owner sets up mail; a newcomer confirms an address, forgets the password and is invited by mail', async ({
  page,
  browser,
  createAccount,
  mailServer,
  owner,
  sluice,
}) => {
  test.setTimeout(180_000)
  const account = await createAccount()
  const email = `${account.username}@example.org`
  await page.goto('/signin')
  await expect(page.getByRole('link', { name: 'Forgot password?' })).toHaveCount(0)
  expect((await page.request.get('/signin/forgot')).status()).toBe(404)

  await signIn(page, owner)
  await setUpMail(page, mailServer.port)
  const to = page.getByLabel('Send test mail to')
  const send = page.getByRole('button', { name: 'Send test mail' })
  await to.fill('gone@example.org')
  await send.click()
  await expect(page.getByText('The mail server 127.0.0.1 refused the mail: 550 5.1.1 no such mailbox')).toBeVisible()
  await to.fill('owner@example.org')
  await send.click()
  await expect(page.getByText('The mail server has accepted the mail to owner@example.org.')).toBeVisible()
  expect(await nextMail(mailServer, 'owner@example.org', 'Mail works')).toMatchObject({
    isSecure: true,
    user: relay.user,
  })
  await page.reload()
  await expect(page.getByRole('textbox', { name: 'Mail password' })).toHaveValue('')
  await expect(page.getByText('A password is stored.')).toBeVisible()

  await page.goto('/admin/users')
  await page.getByRole('button', { name: 'Invite' }).click()
  await page.getByLabel('Send to (optional)').fill('eve@example.org')
  await page.getByRole('button', { name: 'Create and send' }).click()
  await expect(page.getByText('The invite is on its way to eve@example.org.')).toBeVisible()
  const invite = readLink(await nextMail(mailServer, 'eve@example.org', 'You are invited to Sluice'))

  const people = await browser.newContext({ baseURL: sluice.origin })
  const newcomer = await people.newPage()
  await newcomer.goto('/signin/forgot')
  expect(await findBarriers(newcomer)).toEqual([])
  await newcomer.goto(invite)
  await expect(newcomer.getByRole('heading', { name: 'Create your account' })).toBeVisible()
  await signIn(newcomer, account)
  await newcomer.goto('/account')
  const section = newcomer.locator('section#email')
  await section.getByLabel('E-mail address').fill('no address')
  await section.getByRole('button', { name: 'Send link' }).click()
  await expect(section.getByText('Enter an e-mail address such as ada@example.org.')).toBeVisible()
  await section.getByLabel('E-mail address').fill(email)
  await section.getByRole('button', { name: 'Send link' }).click()
  await expect(section.getByText('Waiting to be confirmed')).toBeVisible()
  const confirmation = await nextMail(mailServer, email, 'Confirm your address')
  expect(readPart(confirmation, 'text/html')).not.toMatch(/<img|<script|url\(/)

  // From here on without script, as in a browser that does not know the account.
  const plain = await browser.newContext({ baseURL: sluice.origin, javaScriptEnabled: false })
  const mailbox = await plain.newPage()
  await mailbox.goto(readLink(confirmation))
  await mailbox.getByRole('button', { name: 'Confirm address' }).click()
  await expect(mailbox.getByRole('heading', { name: 'Address confirmed' })).toBeVisible()
  await newcomer.reload()
  await expect(section.getByText('Confirmed', { exact: true })).toBeVisible()

  await mailbox.goto('/signin')
  await mailbox.getByRole('link', { name: 'Forgot password?' }).click()
  await mailbox.getByLabel('User name or e-mail address').fill('nobody-of-this-name')
  await mailbox.getByRole('button', { name: 'Send link' }).click()
  const sent = await mailbox.getByRole('main').innerText()
  await mailbox.goto('/signin/forgot')
  await mailbox.getByLabel('User name or e-mail address').fill(email)
  await mailbox.getByRole('button', { name: 'Send link' }).click()
  expect(await mailbox.getByRole('main').innerText()).toBe(sent)
  await mailbox.goto(readLink(await nextMail(mailServer, email, 'Set a new password')))
  await mailbox.getByLabel('Password', { exact: true }).fill('four unrelated words')
  await mailbox.getByLabel('Repeat password').fill('four unrelated words')
  await mailbox.getByRole('button', { name: 'Set password and sign in' }).click()
  await expect(mailbox).toHaveURL(`${sluice.origin}/`)
  await nextMail(mailServer, email, 'Your password has changed')
  await newcomer.goto('/account')
  await expect(newcomer.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await people.close()
  await plain.close()
})
