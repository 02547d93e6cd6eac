import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { createOriginCheck } from './origin-check.ts'

function isForeign(site: string, headers: Record<string, string>): boolean {
  const req = new IncomingMessage(new Socket())
  Object.assign(req.headers, headers)
  return createOriginCheck(site)(req)
}

describe('a request', () => {
  it.each([
    ['the site itself', 'https://img.example', { origin: 'https://img.example' }, false],
    ['a program, which says nothing', 'https://img.example', {}, false],
    ['a bookmark or an address typed', 'https://img.example', { 'sec-fetch-site': 'none' }, false],
    ['another site', 'https://img.example', { origin: 'https://evil.example' }, true],
    ['a sandboxed page', 'https://img.example', { origin: 'null' }, true],
    [
      'a sandboxed page, with fetch metadata',
      'https://img.example',
      { origin: 'null', 'sec-fetch-site': 'cross-site' },
      true,
    ],
    [
      'a form on a page without referrer',
      'https://img.example',
      { origin: 'null', 'sec-fetch-site': 'same-origin' },
      false,
    ],
    ['the site over http', 'https://img.example', { origin: 'http://img.example' }, true],
    ['another port', 'https://img.example', { origin: 'https://img.example:8443' }, true],
    ['a sibling host, by fetch metadata alone', 'https://img.example', { 'sec-fetch-site': 'same-site' }, true],
    ['a site whose name begins alike', 'https://img.example', { origin: 'https://img.example.evil.example' }, true],
    ['another loopback name of a local site', 'http://localhost:3000', { origin: 'http://127.0.0.1:3000' }, false],
    ['IPv6 loopback of a local site', 'http://localhost:3000', { origin: 'http://[::1]:3000' }, false],
    ['another local port', 'http://localhost:3000', { origin: 'http://localhost:3001' }, true],
    ['loopback, at a site that is not local', 'https://img.example', { origin: 'http://localhost:3000' }, true],
  ])('from %s', (_, site, headers, expected) => {
    expect(isForeign(site, headers)).toBe(expected)
  })
})
