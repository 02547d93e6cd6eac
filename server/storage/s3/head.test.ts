import { expect, test } from 'vitest'
import { unmetered } from '../meter.ts'
import { ObjectStoreUnavailable } from '../object-store.ts'
import { defaultDeadlines, openBucket, type S3Bucket } from './bucket.ts'
import { checkBucket } from './head.ts'

const settings = {
  bucket: 'images',
  endpoint: null,
  region: 'us-east-1',
  accessKeyId: 'id',
  secretAccessKey: 'secret',
  pathStyle: false,
  prefix: '',
  checksums: 'when-supported',
} as const

/** A bucket that is unavailable until `isAway` is cleared. */
function awayBucket() {
  const state = { isAway: true, asked: 0, answeredAt: null as number | null }
  const bucket: S3Bucket = {
    settings,
    client: openBucket(settings, unmetered, defaultDeadlines).client,
    deadlines: defaultDeadlines,
    attempts: { put: 0, get: 0, head: 0, list: 0, delete: 0, multipart: 0 },
    get answeredAt() {
      return state.answeredAt
    },
    call(_send) {
      state.asked += 1
      return Promise.reject(new ObjectStoreUnavailable('Away'))
    },
  }
  return { bucket, state }
}

test('checks an unavailable bucket less and less often, and not at all once another call succeeds', async () => {
  const { bucket, state } = awayBucket()
  const day = 24 * 60 * 60
  const problems = new Set<unknown>()
  const note = (problem: unknown) => problems.add(problem instanceof ObjectStoreUnavailable || problem)
  for (let second = 0; second < day; second += 1)
    await checkBucket(bucket, 1_000 * second).then(() => problems.add('none'), note)
  expect([...problems]).toEqual([true])
  expect(state.asked).toBeGreaterThan(day / 60)
  expect(state.asked).toBeLessThan(day / 60 + 20)
  state.answeredAt = 1_000 * day
  await checkBucket(bucket, 1_000 * day)
  state.answeredAt = null
  const before = state.asked
  for (const at of [day, day]) await expect(checkBucket(bucket, 1_000 * at)).rejects.toThrow(ObjectStoreUnavailable)
  expect(state.asked).toBe(before + 2)
})
