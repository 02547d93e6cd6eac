import { expect, test } from 'vitest'
import { readNonce } from './nonce.ts'

test('reads the nonce from a policy', () => {
  expect(readNonce("default-src 'self'; script-src 'nonce-Zm9v+/=' 'strict-dynamic'")).toBe('Zm9v+/=')
})

test('returns undefined without a nonce or a policy', () => {
  expect(readNonce("default-src 'self'")).toBeUndefined()
  expect(readNonce(null)).toBeUndefined()
})
