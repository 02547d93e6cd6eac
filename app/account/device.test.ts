import { createTranslator } from 'use-intl/core'
import { expect, test } from 'vitest'
import { account } from '#messages/en/account.ts'
import { describeDevice } from './device.ts'

const t = createTranslator({ locale: 'en', messages: { account }, namespace: 'account' })

test.each([
  [
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36',
    'computer',
    'Chrome on Linux',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/141.0 Safari/537.36 Edg/141.0',
    'computer',
    'Edge on Windows',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:145.0) Gecko/20100101 Firefox/145.0',
    'computer',
    'Firefox on macOS',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Version/19.0 Mobile/15E148 Safari/604.1',
    'phone',
    'Safari on iPhone',
  ],
  [
    'Mozilla/5.0 (Linux; Android 16; Pixel 9) AppleWebKit/537.36 Chrome/141.0 Mobile Safari/537.36',
    'phone',
    'Chrome on Android',
  ],
  ['curl/8.5.0', 'program', 'curl'],
  ['', 'program', 'Unknown device'],
])('%s', (userAgent, kind, name) => {
  expect(describeDevice(userAgent, t)).toEqual({ kind, name })
})
