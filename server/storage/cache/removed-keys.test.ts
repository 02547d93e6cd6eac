import { expect, test, vi } from 'vitest'
import { originalKey } from '../object-store.ts'
import { CacheIndex } from './cache-index.ts'
import { openTables } from './index-file.ts'
import { MemoryTier } from './memory-tier.ts'
import { RemovedKeys } from './removed-keys.ts'

const key = originalKey('a'.repeat(64))

test('keeps nothing in memory after a long suspension, because removals may have been missed', () => {
  const options = { capacity: 1_000, self: 'me', now: () => 0, hasEnded: () => false, removeFile: () => undefined }
  const index = new CacheIndex({ ...options, db: openTables(':memory:') })
  const memory = new MemoryTier({ ttl: 0 })
  const removed = new RemovedKeys(index, memory)
  const at = performance.now()
  const clock = vi.spyOn(performance, 'now')
  using reading = memory.reading(key)
  reading.hold(Buffer.from('bytes'), 1)
  // Twice, each within half of the minute for which removals stay listed.
  for (const ms of [29_000, 58_000]) {
    clock.mockReturnValue(at + ms)
    removed.receive()
    expect(memory.get(key)?.id).toBe(1)
  }
  clock.mockReturnValue(at + 58_000 + 31_000)
  removed.receive()
  expect(memory.get(key)).toBeNull()
  index.close()
})
