import { expect, test } from 'vitest'
import { createFailureLog } from './failure-log.ts'
import { LimitStoreUnavailable as LimitsUnavailable } from './limits/stores/failover/failover-store.ts'
import { BudgetSpent } from './storage/meter.ts'
import { ObjectStoreUnavailable } from './storage/object-store.ts'

function scene() {
  const lines: unknown[] = []
  const clock = { now: 0 }
  const log = { error: (details: object, message: string) => void lines.push([details, message]) }
  const logFailure = createFailureLog(log, () => clock.now)
  return { lines, clock, logFailure }
}

test('logs an outage at once, and then every ten seconds with the number of failures', () => {
  const { lines, clock, logFailure } = scene()
  const err = new ObjectStoreUnavailable('no answer')
  logFailure({ requestId: 'a', path: 'image.upload', err }, 'call failed')
  logFailure({ requestId: 'b', err: new Error('around it', { cause: err }) }, 'request failed')
  clock.now = 9_999
  logFailure({ requestId: 'c', err }, 'an upload failed')
  expect(lines).toEqual([[{ requestId: 'a', path: 'image.upload', err, times: 1 }, 'call failed']])
  clock.now = 10_000
  logFailure({ requestId: 'd', path: 'image.list', err }, 'call failed')
  logFailure({ requestId: 'e', path: 'image.list', err }, 'call failed')
  expect(lines.slice(1)).toEqual([[{ requestId: 'd', path: 'image.list', err, times: 3 }, 'call failed']])
})

test('logs each kind of outage separately', () => {
  const { lines, logFailure } = scene()
  const images = new ObjectStoreUnavailable('no answer')
  const limits = new LimitsUnavailable()
  const disk = Object.assign(new Error('full'), { code: 'ENOSPC' })
  for (const err of [images, limits, disk, images, limits, disk]) logFailure({ requestId: 'a', err }, 'call failed')
  expect(lines).toEqual([images, limits, disk].map((err) => [{ requestId: 'a', err, times: 1 }, 'call failed']))
})

test('logs every bug, even during an outage, and every failure that is not a fault', () => {
  const { lines, logFailure } = scene()
  const bug = new Error('bug')
  const spent = new BudgetSpent('spent', null)
  logFailure({ requestId: 'a', err: new ObjectStoreUnavailable('no answer') }, 'call failed')
  for (const err of [bug, bug, spent, spent]) logFailure({ requestId: 'b', err }, 'call failed')
  expect(lines.slice(1)).toEqual([bug, bug, spent, spent].map((err) => [{ requestId: 'b', err }, 'call failed']))
})
