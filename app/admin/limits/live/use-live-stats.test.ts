import { expect, test } from 'vitest'
import { stateOf } from './use-live-stats.ts'

const asked = { isSuccess: true, isPaused: false, failureCount: 0, error: null }
const signedOut = Object.assign(new Error('Sign in first.'), { data: { code: 'UNAUTHORIZED' } })
const standing = { isVisible: true, isStreaming: false, isLost: false, query: asked }

test('says how the figures come in', () => {
  expect([
    stateOf({ ...standing, isStreaming: true }),
    stateOf({ ...standing, isVisible: false, isStreaming: true }),
    stateOf(standing),
    stateOf({ ...standing, isLost: true }),
    stateOf({ ...standing, query: { ...asked, isSuccess: false } }),
    stateOf({ ...standing, query: { ...asked, failureCount: 1 } }),
    stateOf({ ...standing, query: { ...asked, isPaused: true } }),
    stateOf({ ...standing, query: { ...asked, isSuccess: false, error: signedOut } }),
  ]).toEqual(['live', 'paused', 'polling', 'reconnecting', 'connecting', 'reconnecting', 'reconnecting', 'signedOut'])
})
