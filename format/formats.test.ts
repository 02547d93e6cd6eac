import { expect, test } from 'vitest'
import { formatsFor } from './formats.ts'
import { locales } from './locale.ts'

const now = Date.parse('2026-11-20T08:00:00Z')
const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

test('writes every kind of value as each language does', () => {
  const written = locales.map((locale) => {
    const format = formatsFor(locale)
    return [
      ...[0, 47 * second, 5 * minute, 125 * second, 3 * hour + 3 * minute, 30 * day + 2 * hour].map(format.wait),
      ...([90_000, '15m', '2h', '1d', 250] as const).map(format.duration),
      ...[format.bytes(26_214_400), format.count(15_000), format.decimal(3), format.precise(0.12345)],
      ...[0, 0.0004, 0.835].map(format.share),
      ...[format.list(['a', 'b', 'c']), format.choice(['a', 'b', 'c']), format.parts(['a', 'b'])],
      format.clauses(['a', 'b']),
      format.date('2026-11-20T08:12:00Z', { time: true, timeZone: 'UTC' }),
      ...[format.day('2026-11-21'), format.month('2026-11')],
      ...[30 * day, 5 * hour, minute].map((ms) => format.until(new Date(now + ms).toISOString(), now)),
      ...[12 * second, 3 * minute].map(format.ago),
      ...[format.money(12_400_000_000, 'CNY'), format.money(400_000_000, 'JPY'), format.price(23_000_000, 'USD')],
    ]
  })
  expect(Object.fromEntries(locales.map((locale, at) => [locale, written[at]]))).toEqual({
    en: [
      ...['0 s', '47 s', '5 min', '2 min 5 s', '3 h 3 min', '30 days 2 h'],
      ...['90 seconds', '15 minutes', '2 hours', '1 day', '250 milliseconds'],
      ...['25 MiB', '15,000', '3.0', '0.123'],
      ...['0 %', 'under 0.1 %', '83 %'],
      ...['a, b and c', 'a, b or c', 'a, b'],
      'a; b',
      '20 Nov 2026, 08:12',
      ...['21 Nov', 'November 2026'],
      ...['in 30 days', 'in 5 hours', 'soon'],
      ...['12 seconds ago', '3 minutes ago'],
      ...['¥12.40', '¥0.4', '$0.023'],
    ],
    'zh-CN': [
      ...['0 秒', '47 秒', '5 分钟', '2 分钟 5 秒', '3 小时 3 分钟', '30 天 2 小时'],
      ...['90 秒', '15 分钟', '2 小时', '1 天', '250 毫秒'],
      ...['25 MiB', '15,000', '3.0', '0.123'],
      ...['0%', '不到 0.1%', '83%'],
      ...['a、b和c', 'a、b或c', 'a，b'],
      'a；b',
      '2026年11月20日 08:12',
      ...['11月21日', '2026年11月'],
      ...['30 天后', '5 小时后', '即将'],
      ...['12 秒钟前', '3 分钟前'],
      ...['¥12.40', '¥0.4', '$0.023'],
    ],
  })
})

test('writes rules as each language does', () => {
  const rules = [
    { limit: 1200, window: '1m' },
    { limit: 2, window: '15m' },
    { limit: 5, window: '1s', blockFor: '1m' },
    { limit: '20GB', window: '1d', calendar: 'day' },
    { limit: 60, window: '1m', atOnce: 10 },
    { concurrent: 8 },
  ] as const
  expect(rules.map(formatsFor('zh-CN').rule)).toEqual([
    '每分钟 1,200 次',
    '每 15 分钟 2 次',
    '每秒 5 次，超出后封锁 1 分钟',
    '每自然日 20 GiB',
    '每分钟 60 次，突发 10 次',
    '同时 8 个',
  ])
})

test('is the same object every time, so that hooks can depend on it', () => {
  for (const locale of locales) expect(formatsFor(locale)).toBe(formatsFor(locale))
})
