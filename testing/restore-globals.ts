import { afterEach, vi } from 'vitest'

// Files share processes, and `restoreMocks` restores before the next test of the same file only: a stopped clock or a fake
// timer of a file's last test would stay for every file that follows.
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})
