import { expect, vi } from 'vitest'

// A test that starts real servers starts several, each of which may take two minutes on a machine that others use.
if (/\.(redis|postgres|s3|server)\.test\.ts$/.test(expect.getState().testPath ?? ''))
  vi.setConfig({ testTimeout: 360_000 })
