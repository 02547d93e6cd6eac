import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { OverrideTerms } from '#server/limit-admin/overrides/override-terms.ts'
import { startApp, type TestApp } from '#testing/sluice/sluice-app.ts'

let running: TestApp
beforeAll(async () => {
  running = await startApp()
})
afterAll(() => running[Symbol.asyncDispose]())

test('a client that disconnects while it waits for a permit takes none, and nothing is logged', async () => {
  const { app, origin } = running
  const terms: OverrideTerms = { rules: [{ limit: 1, window: '30m' }], wait: '1h' }
  const worked = app.limitAdmin.overrides.compileOverride({ ruleSet: 'view', target: { kind: 'all' }, terms })
  if (worked.problem !== null) return expect.unreachable()
  app.limiter.override([worked.override])
  const url = `${origin}/i/${'a'.repeat(22)}.png?w=400`
  expect((await fetch(url)).status).toBe(404)
  const reserve = vi.spyOn(app.limiter, 'reserve')
  const logged = vi.spyOn(app.log, 'error')
  const leaving = new AbortController()
  const left = expect(fetch(url, { signal: leaving.signal })).rejects.toThrow()
  await expect.poll(() => reserve.mock.calls.length).toBe(1)
  leaving.abort()
  await left
  await expect.poll(() => app.limiter.ownStats().rows.map(({ total }) => total.abandoned)).toEqual([1])
  expect(logged).not.toHaveBeenCalled()
})
