import { expect, test } from 'vitest'
import { missingPrograms, parsePlatform, readLockfile } from './complete-lockfile.ts'

test('the lockfile contains the programs of all platforms; `npm run lockfile` adds missing ones', () => {
  expect(missingPrograms(readLockfile())).toEqual({})
})

test('an exact version that is required but not locked is missing', () => {
  const asks = { '@a/win32-x64': '1.2.3', '@a/linux-x64': '1.2.3', '@a/darwin-arm64': '^1.0.0', fast: '1.0.0' }
  const packages = {
    'node_modules/a': { version: '1.2.3', dev: true, optionalDependencies: asks },
    'node_modules/@a/linux-x64': { version: '1.2.3' },
  }
  expect(missingPrograms({ packages })).toEqual({
    'node_modules/@a/win32-x64': { version: '1.2.3', cpu: ['x64'], os: ['win32'], dev: true, optional: true },
  })
})

test.each([
  ['@biomejs/cli-linux-arm64-musl', { cpu: ['arm64'], os: ['linux'], libc: ['musl'] }],
  ['@next/swc-linux-x64-gnu', { cpu: ['x64'], os: ['linux'], libc: ['glibc'] }],
  ['@tailwindcss/oxide-linux-arm-gnueabihf', { cpu: ['arm'], os: ['linux'] }],
  ['@tailwindcss/oxide-wasm32-wasi', { cpu: ['wasm32'] }],
  ['fsevents', null],
])('%s', (name, platform) => {
  expect(parsePlatform(name)).toEqual(platform)
})
