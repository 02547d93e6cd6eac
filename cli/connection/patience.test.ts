import { expect, test } from 'vitest'
import { CommandFailed } from '../command.ts'
import { Patience } from './patience.ts'
import { HttpFailure, ItemFailed } from './server-error.ts'

/** A Patience with a clock that only advances during waits. */
function scene({ waitMs = Number.POSITIVE_INFINITY } = {}) {
  const told: string[] = []
  const broken = new AbortController()
  let now = 0
  const clock = {
    now: () => now,
    random: () => 0.5,
    sleep: async (ms: number) => {
      const until = now + ms
      await new Promise(setImmediate)
      now = Math.max(now, until)
    },
  }
  const onWait = (ms: number, why: string) => told.push(`${ms}: ${why}`)
  return { told, broken, now: () => now, patience: new Patience({ signal: broken.signal, waitMs, onWait, clock }) }
}

/** Fails with each of these in turn, then succeeds. */
function failing(...errors: readonly unknown[]) {
  const left = [...errors]
  return async () => {
    if (left.length > 0) throw left.shift()
    return 'done'
  }
}

const answered = (status: number, retryAfter?: string) =>
  new HttpFailure(
    new Response('', { status, headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter } }),
    'told',
  )
const lost = () => new TypeError('fetch failed', { cause: Object.assign(new Error('no'), { code: 'ECONNRESET' }) })

test('retries a refused call when the limit allows it, plus jitter', async () => {
  const { patience, told, now } = scene()
  expect(await patience.run(failing(answered(429, '7'), answered(429, '2')))).toBe('done')
  expect([told, now()]).toEqual([['7550: told', '2550: told'], 10_100])
})

test('all calls that share it wait together', async () => {
  const { patience, told, now } = scene()
  await Promise.all([patience.run(failing(answered(429, '7'))), patience.run(failing(answered(429, '7')))])
  expect([told, now() >= 7550]).toEqual([['7550: told'], true])
})

test('a call waits no longer in total than it may, whatever refuses it', async () => {
  const { patience, now } = scene({ waitMs: 2_000 })
  expect(await patience.run(failing(answered(429, '1'), answered(429, '1')))).toBe('done')
  expect(now()).toBe(3_100)
  const notNow = (text: string) => new CommandFailed('refused', text)
  await expect(patience.run(failing(answered(429, '7')))).rejects.toEqual(notNow('told. Try again in 7 s.'))
  const thrice = failing(answered(429, '1'), answered(429, '1'), answered(429, '1'))
  await expect(patience.run(thrice)).rejects.toEqual(notNow('told. Try again in 1 s.'))
  const away = new CommandFailed('unreachable', 'The server is unavailable: told.')
  await expect(patience.run(failing(answered(503, '3600')))).rejects.toEqual(away)
  await expect(patience.run(failing(lost(), lost()))).rejects.toMatchObject({ failure: 'unreachable' })
})

test('retries a call without an answer eight times, with exponential backoff', async () => {
  const { patience, told } = scene()
  const losses = Array.from({ length: 8 }, lost)
  expect(await patience.run(failing(...losses))).toBe('done')
  const waits = [1, 2, 4, 8, 16, 30, 30, 30].map((seconds) => seconds * 1000 + 550)
  expect(told).toEqual(waits.map((ms) => `${ms}: no answer (ECONNRESET)`))
  await expect(patience.run(failing(...losses, lost()))).rejects.toEqual(
    new CommandFailed('unreachable', 'The server is unavailable: no answer (ECONNRESET).'),
  )
})

test('an outage lasts as long as the server says', async () => {
  const { patience, told } = scene()
  await patience.run(failing(answered(503, '5'), answered(502)))
  expect(told).toEqual(['5550: told', '2550: HTTP status 502'])
})

test('throws a final failure at once, for the command or for the item', async () => {
  const { patience, told } = scene()
  await expect(patience.run(failing(answered(404)))).rejects.toEqual(new ItemFailed('told'))
  await expect(patience.run(failing(answered(401)))).rejects.toEqual(
    new CommandFailed('notSignedIn', 'told Run sluice login.'),
  )
  expect(told).toEqual([])
})

test('sends nothing after an interruption', async () => {
  const { patience, broken } = scene()
  broken.abort()
  await expect(patience.run(failing())).rejects.toBe(broken.signal.reason)
})
