import type { Locale } from './locale.ts'

type Unit = 'day' | 'hour' | 'minute' | 'second' | 'millisecond'

/** What a language says beside its numbers, where Intl has no words for it. */
interface Words {
  readonly soon: string
  /** A percentage, from its number. */
  readonly percent: (number: string) => string
  readonly under: (share: string) => string
  /** The symbols of a wait, after a space. */
  readonly second: string
  readonly minute: string
  readonly hour: string
  /** How Intl writes a length of time. */
  readonly unitDisplay: 'long' | 'short'
  /** What stands behind "per" for one unit. */
  readonly single: Readonly<Record<Unit, string>>
  readonly calendar: Readonly<Record<'day' | 'week' | 'month', string>>
  readonly calls: (count: string) => string
  readonly per: (amount: string, window: string) => string
  readonly atOnce: (amount: string) => string
  readonly blocked: (duration: string) => string
  readonly concurrent: (calls: string) => string
  /** Between the parts of a rule. */
  readonly comma: string
  /** Between parts that have commas themselves. */
  readonly semicolon: string
  /** Between sentences. */
  readonly gap: string
}

const en: Words = {
  soon: 'soon',
  percent: (number) => `${number} %`,
  under: (share) => `under ${share}`,
  second: 's',
  minute: 'min',
  hour: 'h',
  unitDisplay: 'long',
  single: { day: 'day', hour: 'hour', minute: 'minute', second: 'second', millisecond: 'millisecond' },
  calendar: { day: 'calendar day', week: 'calendar week', month: 'calendar month' },
  calls: (count) => count,
  per: (amount, window) => `${amount} per ${window}`,
  atOnce: (amount) => `${amount} at once`,
  blocked: (duration) => `then blocked for ${duration}`,
  concurrent: (calls) => `${calls} at the same time`,
  comma: ', ',
  semicolon: '; ',
  gap: ' ',
}

const zhCN: Words = {
  soon: '即将',
  percent: (number) => `${number}%`,
  under: (share) => `不到 ${share}`,
  second: '秒',
  minute: '分钟',
  hour: '小时',
  unitDisplay: 'short',
  single: { day: '天', hour: '小时', minute: '分钟', second: '秒', millisecond: '毫秒' },
  calendar: { day: '自然日', week: '自然周', month: '自然月' },
  calls: (count) => `${count} 次`,
  per: (amount, window) => `每${window} ${amount}`,
  atOnce: (amount) => `突发 ${amount}`,
  blocked: (duration) => `超出后封锁 ${duration}`,
  concurrent: (calls) => `同时 ${calls} 个`,
  comma: '，',
  semicolon: '；',
  gap: '',
}

export const words = { en, 'zh-CN': zhCN } as const satisfies Record<Locale, Words>

/** Puts a space where Chinese characters meet digits or Latin letters; text of other languages stays as it is. */
export const spaced = (text: string): string => text.replaceAll(SEAM, ' ')

const SEAM = /(?<=\p{Script=Han})(?=[\dA-Za-z])|(?<=[\dA-Za-z])(?=\p{Script=Han})/gu
