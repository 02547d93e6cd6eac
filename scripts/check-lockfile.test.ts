import { expect, test } from 'vitest'
import { findLockfileProblems } from './check-lockfile.ts'

test('finds packages without a hash, undecided install scripts and programs that are not locked', () => {
  const packages = {
    '': { optionalDependencies: { root: '1.0.0' } },
    'node_modules/a': {
      integrity: 'sha512-a',
      optionalDependencies: { '@a/linux-x64': '1.2.3', fast: '^1.0.0', '@a/win32-x64': '1.2.3' },
    },
    'node_modules/@a/linux-x64': { version: '1.2.3' },
    'node_modules/a/node_modules/b': { inBundle: true },
    'node_modules/c': { integrity: 'sha512-c', hasInstallScript: true },
    'node_modules/@d/e': { integrity: 'sha512-e', hasInstallScript: true },
  }
  expect(findLockfileProblems({ packages }, ['@d/e'])).toEqual([
    'node_modules/a needs @a/win32-x64@1.2.3 on some platform, which is not locked',
    'node_modules/@a/linux-x64 has no integrity hash',
    'node_modules/c runs an install script: decide in allowScripts',
  ])
})
