import { afterEach, vi } from 'vitest'

// `restoreMocks` restores spies. A fake timer that a test leaves behind would stay for the next test, and where files share a
// process for the next file.
afterEach(() => void vi.useRealTimers())
