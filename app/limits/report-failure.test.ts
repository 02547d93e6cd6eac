import { afterEach, expect, test } from 'vitest'
import { queue } from '#app/ui/toast-queue.ts'
import { reportFailure } from './report-failure.tsx'

afterEach(() => {
  for (const { key } of queue.visibleToasts) queue.close(key)
})

test('a failure that can be retried stays until it is dismissed, any other for six seconds', () => {
  const lost = new TypeError('Failed to fetch')
  reportFailure('1,532 images not changed.', lost, () => {})
  expect(queue.visibleToasts.map(({ timeout }) => timeout)).toEqual([undefined])
  reportFailure('Not all images are selected.', lost)
  expect(queue.visibleToasts.map(({ timeout }) => timeout)).toEqual([6000])
})
