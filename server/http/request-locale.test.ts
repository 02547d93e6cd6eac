import { afterEach, expect, test } from 'vitest'
import { requestLocale } from './request-locale.ts'
import { setSiteLanguage } from './site-locale.ts'

afterEach(() => setSiteLanguage(() => 'en'))

const zh = { cookie: 'sluice-locale=zh-CN', 'accept-language': 'zh-CN' }
const en = { cookie: 'sluice-locale=en', 'accept-language': 'en' }

test('a person is asked before the cookie, the cookie before the browser', () => {
  expect(requestLocale(en, 'zh-CN')).toBe('zh-CN')
  expect(requestLocale(zh, 'en')).toBe('en')
  expect(requestLocale({ ...en, 'accept-language': 'zh-CN' })).toBe('en')
  expect(requestLocale({ ...zh, 'accept-language': 'en' })).toBe('zh-CN')
  expect(requestLocale({ 'accept-language': 'zh-CN' })).toBe('zh-CN')
  expect(requestLocale({ 'accept-language': 'fr' })).toBe('en')
  expect(requestLocale({})).toBe('en')
})

test('a site speaks its own language to all who prefer none that it has', () => {
  setSiteLanguage(() => 'zh-CN')
  expect(requestLocale({ 'accept-language': 'fr' })).toBe('zh-CN')
  expect(requestLocale({ 'accept-language': 'en' })).toBe('en')
  expect(requestLocale({})).toBe('zh-CN')
  expect(requestLocale({ cookie: 'sluice-locale=en' })).toBe('en')
  expect(requestLocale({}, 'en')).toBe('en')
})

test('a cookie that names no locale is as if there were none', () => {
  expect(requestLocale({ ...zh, cookie: 'sluice-locale=../../etc/passwd' })).toBe('zh-CN')
})
