import { expect, test } from 'vitest'
import { acceptsPage } from './accepts-page.ts'

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8'

test.each([
  [true, 'a browser', BROWSER],
  [true, 'only pages', 'text/html'],
  [true, 'pages before data', 'application/json;q=0.5, text/html;q=0.9'],
  [true, 'pages first among equals', 'text/html, application/json'],
  [true, 'XHTML', 'application/xhtml+xml;charset=utf-8;q=0.7'],
  [false, 'curl', '*/*'],
  [false, 'nothing', ''],
  [false, 'any text', 'text/*'],
  [false, 'data first among equals', 'application/json, text/html'],
  [false, 'data before pages', 'text/html;q=0.8, application/json'],
  [false, 'text before pages', 'text/plain, text/html;q=0.9'],
  [false, 'no pages', 'text/html;q=0, */*'],
  [false, 'an image element', 'image/avif,image/webp,image/*,*/*;q=0.8'],
  [false, 'what is no header', 'text/html'.repeat(3)],
])('%s: %s', (expected, _, accept) => {
  expect(acceptsPage({ url: '/', headers: { accept } })).toBe(expected)
})

test('programs call APIs, whatever they accept', () => {
  const accepts = (url: string) => acceptsPage({ url, headers: { accept: BROWSER } })
  expect(['/api/upload', '/api/trpc/a.b', '/api/v1/upload', '/api/zipper', '/healthz'].map(accepts)).toEqual(
    Array(5).fill(false),
  )
  expect(['/', '/i/x.png', '/api/zip?x', '/api/zip', '/api/auth/signin'].map(accepts)).toEqual(Array(5).fill(true))
})
