import { expect, test } from 'vitest'
import { acceptedLocale, cookieLocale, preferredLocale } from './choose-locale.ts'

test.each([
  ['', null],
  ['en', 'en'],
  ['en-US,en;q=0.9', 'en'],
  ['zh-CN', 'zh-CN'],
  ['ZH-cn', 'zh-CN'],
  ['zh', 'zh-CN'],
  ['zh-Hans', 'zh-CN'],
  ['zh-Hans-CN', 'zh-CN'],
  ['zh-SG', 'zh-CN'],
  // Traditional Chinese is not spoken yet: the other script comes before another language.
  ['zh-TW', 'zh-CN'],
  ['zh-Hant-HK', 'zh-CN'],
  ['zh-TW,zh;q=0.9,en-US;q=0.8,en;q=0.7', 'zh-CN'],
  ['en-US,zh-TW;q=0.9', 'en'],
  // By weight, then by order.
  ['en;q=0.5,zh-CN;q=0.8', 'zh-CN'],
  ['zh-CN;q=0.80,en;q=0.8', 'zh-CN'],
  ['en;q=0.8, zh-CN;q=0.800', 'en'],
  ['fr-FR, de;q=0.9, zh;q=0.1', 'zh-CN'],
  ['zh-CN;q=0, en;q=0.1', 'en'],
  ['zh-CN ; q=0.5 , en ; Q=0.6', 'en'],
  ['fr,de', null],
  // Languages with a tag that only begins like one of ours, and what is no range at all.
  ['enm, zha', null],
  ['*', null],
  ['*;q=0.5, fr', null],
  ['zh-CN;q=2, en;q=0.1', 'en'],
  ['zh-CN;q=0.1234, en;q=0.1', 'en'],
  ['zh-CN;q=-1', null],
  ['zh-CN;q=', null],
  ['zh-CN;q=1;q=0.1', null],
  ['zh-CN;level=1', null],
  ['zh_CN', null],
  ['../../etc/passwd', null],
  [';;;,,,q=1', null],
  ['zh-'.repeat(5_000), null],
  [`${'x'.repeat(10_000)},zh-CN;q=0.1`, 'zh-CN'],
  [`${'fr,'.repeat(10_000)}zh-CN`, null],
])('Accept-Language %.40j is read as %s', (header, locale) => expect(acceptedLocale(header)).toBe(locale))

test('a request without the header prefers nothing', () => expect(acceptedLocale(undefined)).toBeNull())

test('the first known language of a list is taken', () => {
  expect(preferredLocale(['fr-FR', 'zh-Hans-SG', 'en'])).toBe('zh-CN')
  expect(preferredLocale([])).toBeNull()
})

test.each([
  ['sluice-locale=zh-CN', 'zh-CN'],
  ['a=b; sluice-locale=en; c=d', 'en'],
  ['a=b;sluice-locale=zh-CN', 'zh-CN'],
  ['sluice-locale=zh-cn', null],
  ['sluice-locale=', null],
  ['not-sluice-locale=zh-CN', null],
  ['sluice-locale=zh-CN%00', null],
  ['sluice-locale=../../etc/passwd', null],
  ['sluice-locale[]=zh-CN', null],
  ['sluice-locale=constructor', null],
  [`sluice-locale=${'z'.repeat(10_000)}`, null],
  ['', null],
])('the cookie %.40j is read as %s', (cookie, locale) => expect(cookieLocale(cookie)).toBe(locale))
