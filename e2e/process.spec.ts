import { once } from 'node:events'
import { request } from 'node:http'
import { startSluiceServer } from '../testing/sluice/sluice-server.ts'
import { expect, test } from './fixtures.ts'

test.describe('the process', () => {
  for (const [password, words] of [
    ['password123', 'SLUICE_ADMIN_PASSWORD: This password is too easy to guess.'],
    ['short', 'SLUICE_ADMIN_PASSWORD: The password is too short. Use at least 10 characters.'],
  ] as const) {
    test(`does not start with the owner's password ${password}`, async () => {
      const start = startSluiceServer({ env: { SLUICE_ADMIN_USERNAME: 'owner', SLUICE_ADMIN_PASSWORD: password } })
      await expect(start).rejects.toThrow(words)
    })
  }

  test('names an invalid setting', async () => {
    await expect(startSluiceServer({ env: { SLUICE_SIGNUP: 'perhaps' } })).rejects.toThrow(
      /Sluice cannot start\.\nSLUICE_SIGNUP: /,
    )
  })

  test('logs its database, limiter and object store, and refuses a second process on its folder', async () => {
    await using server = await startSluiceServer()
    const first = server.messages.findIndex((line) => line.startsWith('Sluice serves'))
    expect(server.messages.slice(first, first + 4)).toEqual([
      `Sluice serves ${server.origin}`,
      `database: PGlite in ${server.dataDir}/db`,
      'limiter: in this process',
      `objects: disk in ${server.dataDir}/objects`,
    ])
    await expect(startSluiceServer({ dataDir: server.dataDir })).rejects.toThrow(
      /Another Sluice process has the embedded database/,
    )
    expect((await fetch(`${server.origin}/readyz`)).status).toBe(200)
    expect(server.logs.map((line) => typeof JSON.parse(line))).toEqual(server.logs.map(() => 'object'))
  })

  test('finishes requests in flight when it is asked to stop', async () => {
    await using server = await startSluiceServer()
    const upload = request(`${server.origin}/api/trpc/account.signUp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
    })
    const answered = once(upload, 'response')
    upload.write('{"username":"someone",')
    await expect.poll(() => fetch(`${server.origin}/healthz`).then((response) => response.status)).toBe(200)
    const stopped = server.stop()
    await expect
      .poll(() =>
        fetch(`${server.origin}/healthz`).then(
          () => 'accepts',
          () => 'refuses',
        ),
      )
      .toBe('refuses')
    upload.end('"password":"long enough to pass"}')
    const [answer] = await answered
    // Refused for lack of an invite, so the whole body was read and checked.
    expect(answer.statusCode).toBe(403)
    expect(await stopped).toBe(0)
  })
})

test('an empty site is set up once, on its page, with the code from the log', async ({ page }) => {
  await using server = await startSluiceServer()
  const code = /with the code (\S+)/.exec(server.messages.join('\n'))?.[1] ?? ''
  await page.goto(`${server.origin}/`)
  await expect(page).toHaveURL(`${server.origin}/setup`)
  await page.getByLabel(/code/i).fill(code)
  await page.getByLabel('User name').fill('founder')
  await page.getByLabel('Password', { exact: true }).fill('a harbour at night')
  await page.getByRole('button', { name: 'Create owner account' }).click()
  await expect(page).toHaveURL(`${server.origin}/`)
  // A second visit is signed in, and redirected to the images.
  await page.goto(`${server.origin}/setup`)
  await expect(page).toHaveURL(`${server.origin}/`)
})
