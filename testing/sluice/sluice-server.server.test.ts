import { existsSync, mkdtempDisposableSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startSluiceServer } from './sluice-server.ts'

test('is ready when started, drains on stop, and deletes its folder', async () => {
  const sluice = await startSluiceServer()
  expect((await fetch(`${sluice.origin}/healthz`)).status).toBe(200)
  expect(existsSync(sluice.dataDir)).toBe(true)
  expect(await sluice.stop()).toBe(0)
  await sluice[Symbol.asyncDispose]()
  expect(existsSync(sluice.dataDir)).toBe(false)
  await expect(fetch(sluice.origin)).rejects.toThrow('fetch failed')
})

test('a duplicate signal, as forwarded by npm, counts as one', async () => {
  await using sluice = await startSluiceServer()
  expect(await sluice.stopTwice()).toBe(0)
})

test('a second server can use the folder of a killed one', async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'sluice-data-'))
  const first = await startSluiceServer({ dataDir: folder.path })
  await first.kill()
  await using second = await startSluiceServer({ dataDir: folder.path })
  expect((await fetch(`${second.origin}/readyz`)).status).toBe(200)
})

test('an invalid setting is reported with the log', async () => {
  await expect(startSluiceServer({ env: { SLUICE_SIGNUP: 'perhaps' } })).rejects.toThrow('SLUICE_SIGNUP')
})
