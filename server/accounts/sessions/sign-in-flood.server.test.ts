import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { expect, test } from 'vitest'
import { floodSignIns, SignInClient } from '#testing/accounts/sign-in-flood.ts'
import { createPostgresDatabase } from '#testing/servers/postgres-database.ts'
import { startSluiceServer } from '#testing/sluice/sluice-server.ts'
import { OWNER_LANE } from '../password-lanes.ts'
import { hashPassword } from '../passwords.ts'

const PASSWORD = 'a password of this test'

test('signs in new and known devices while 260 connections from one network guess passwords', async () => {
  const url = await createPostgresDatabase()
  await using sluice = await startSluiceServer({ env: { DATABASE_URL: url, SLUICE_TRUSTED_PROXIES: '127.0.0.1' } })
  const accounts = Array.from({ length: 24 }, (_, at) => ({ username: `attacker${at}`, password: PASSWORD }))
  await insertUsers(url, ['victim', ...accounts.map(({ username }) => username)])
  using flood = floodSignIns(sluice.origin, { accounts })
  // The flood is served, and by then all of it is waiting.
  await expect.poll(() => [...flood.answers.values()].reduce((sum, count) => sum + count, 0)).toBeGreaterThan(5)
  using victim = new SignInClient(sluice.origin)
  const statuses: number[] = []
  let cookie = ''
  for (let at = 0; at < 6; at += 1) {
    const form = { address: `198.51.100.${at}`, username: 'victim', password: PASSWORD }
    const { status, cookies } = await victim.signIn(at < 3 ? form : { ...form, cookie })
    statuses.push(status)
    cookie = cookies.find((text) => text.startsWith('sluice.device=')) ?? expect.unreachable()
  }
  expect(statuses).toEqual(Array(6).fill(200))
})

async function insertUsers(url: string, names: readonly string[]): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  const passwordHash = await hashPassword(PASSWORD, { lane: OWNER_LANE })
  for (const name of names) {
    await client.query(`INSERT INTO "User" (id, username, "usernameKey", "passwordHash") VALUES ($1, $2, $2, $3)`, [
      randomUUID(),
      name,
      passwordHash,
    ])
  }
  await client.end()
}
