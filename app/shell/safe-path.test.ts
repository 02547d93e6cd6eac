import { expect, test } from 'vitest'
import { safePath, toPath } from './safe-path.ts'

test.each([
  ['/trash', '/trash'],
  ['/image/abc?x=1#y', '/image/abc?x=1#y'],
  ['//evil.example', '/'],
  ['/\\evil.example', '/'],
  ['/\t/evil.example', '/'],
  ['/.//evil.example', '/'],
  ['/a/..//evil.example/x', '/'],
  ['/%2e//evil.example', '/'],
  ['https://evil.example', '/'],
  ['javascript:alert(1)', '/'],
  ['', '/'],
  [null, '/'],
  [undefined, '/'],
])('%j leads to %j', (next, expected) => {
  expect(safePath(next)).toBe(expected)
})

test('keeps the path and query of a URL', () => {
  expect(toPath('https://images.example.org/i/abc.jpg?w=400')).toBe('/i/abc.jpg?w=400')
})
