import { expect, test } from 'vitest'
import { createLimiter } from '../limiter.ts'
import { compileRuleSets } from '../rules/compile.ts'

const NOW = 1_700_000_000_000
const rules = [{ limit: 9, window: '1m' }] as const
const sets = compileRuleSets('image.list', [{ name: 'view', by: 'subject', rules: [...rules] }])
const waiting = compileRuleSets('image.list', [{ name: 'view', by: 'subject', wait: '1s', rules: [...rules] }])

function scene(of = sets) {
  const clock = { time: NOW, now: () => clock.time }
  const limiter = createLimiter({ clock })
  const call = async (userId = 'ann') =>
    (await limiter.reserve([{ sets: of, caller: { address: '192.0.2.1', userId, shared: false } }])).decision
  const block = (blockedUntil?: number) =>
    limiter.override([{ ruleSet: 'view', target: { subject: 'ann' }, sets: of, ...(blockedUntil && { blockedUntil }) }])
  return { clock, limiter, call, block }
}

test('a blocked subject is refused until the block ends, has used nothing, and nobody else is', async () => {
  const { clock, limiter, call, block } = scene()
  await call()
  block(NOW + 60_000)
  expect(await call()).toMatchObject({ allowed: false, retryAfterMs: 60_000, decidedBy: 'block' })
  expect((await call('bob')).allowed).toBe(true)
  const caller = { address: '192.0.2.1', userId: 'ann', shared: false }
  const { rules: states } = await limiter.states([{ sets, caller }])
  expect(states).toMatchObject([{ used: 1, remaining: 8, waitMs: 60_000, blockedMs: 60_000 }])
  expect((await limiter.peek([{ sets, caller }])).allowed).toBe(false)
  expect(limiter.ownStats()).toMatchObject({ nearest: [], mostRefused: [{ subject: 'ann', refused: 1 }] })
  clock.time += 60_000
  expect((await call()).allowed).toBe(true)
})

test('a block is lifted with its override', async () => {
  const { call, block } = scene()
  block(NOW + 60_000)
  expect((await call()).allowed).toBe(false)
  block()
  expect((await call()).allowed).toBe(true)
})

test('a call that may wait does not wait for the end of a block', async () => {
  const { call, block } = scene(waiting)
  block(NOW + 60_000)
  expect(await call()).toMatchObject({ allowed: false, waitedMs: 0 })
})

test('the value of an argument is blocked for everyone, alone or in a list, and no other', async () => {
  const values = (by: 'subject' | 'everyone') => {
    const counted = by === 'subject' ? { by: { input: 'id', per: by } } : { by: { input: 'id' }, networks: 20 }
    return compileRuleSets('image.get', [{ name: 'view', ...counted, rules: [...rules] }])
  }
  for (const of of [values('subject'), values('everyone')]) {
    const clock = { time: NOW, now: () => clock.time }
    const limiter = createLimiter({ clock })
    const call = async (id: unknown, userId = 'ann') =>
      (await limiter.reserve([{ sets: of, caller: { address: '192.0.2.1', userId, shared: false }, input: { id } }]))
        .decision
    limiter.override([{ ruleSet: 'view', target: { argument: '7' }, sets: of, blockedUntil: NOW + 60_000 }])
    const blocked = { allowed: false, retryAfterMs: 60_000, decidedBy: 'block' }
    expect([await call('7'), await call(7, 'bob'), await call(['6', '7'])]).toMatchObject([blocked, blocked, blocked])
    expect((await call('6')).allowed).toBe(true)
    const caller = { address: '192.0.2.1', userId: 'ann', shared: false }
    const { rules: states } = await limiter.states([{ sets: of, caller, input: { id: '7' } }])
    expect(states[0]).toMatchObject({ used: 0, blockedMs: 60_000, facts: { override: { argument: '7' } } })
    clock.time += 60_000
    expect((await call('7')).allowed).toBe(true)
  }
})
