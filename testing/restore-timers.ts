import { setTimeout } from 'node:timers'
import { afterEach, vi } from 'vitest'

// Files share processes: timers that a test leaves fake would never fire for the next file. Spies are restored first,
// because one on a fake timer would put that back later.
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
  if (globalThis.setTimeout !== setTimeout) throw new Error('This test leaves a fake setTimeout behind.')
})
