import { afterEach, vi } from 'vitest'

// `restoreMocks` restores spies, but not fake timers. One that a test leaves behind would affect the next test, and the
// next file if files share a process.
afterEach(() => void vi.useRealTimers())
