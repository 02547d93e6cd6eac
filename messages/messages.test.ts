import { globSync, readFileSync } from 'node:fs'
import compile from 'icu-minify/compile'
import { expect, test } from 'vitest'
import { en } from './en.ts'
import { translate } from './translate.ts'

const sources = globSync('{app,cli,server}/**/*.{ts,tsx}')
  .filter((path) => !/\.test\.tsx?$/.test(path))
  .map((path) => readFileSync(path, 'utf8'))

function keysIn(messages: object, prefix: string): [key: string, text: unknown][] {
  return Object.entries(messages).flatMap(([name, each]): [string, unknown][] =>
    typeof each === 'object' ? keysIn(each, `${prefix}${name}.`) : [[`${prefix}${name}`, each]],
  )
}

const all = Object.entries(en).flatMap(([area, messages]) =>
  keysIn(messages, '').map(([key, text]) => ({ area, key, text })),
)

test.each(Object.keys(en))('all messages of %s can be read', (area) => {
  const unreadable = all.filter((each) => each.area === area && !canBeRead(String(each.text)))
  expect(unreadable.map(({ key }) => key)).toEqual([])
})

function canBeRead(message: string): boolean {
  try {
    compile(message)
    return true
  } catch {
    return false
  }
}

/** A key is used by its name, or by a template that begins it: t(`state.${state}`). */
test('every message is used', () => {
  const found = (pattern: RegExp) =>
    new Set(sources.flatMap((text) => Array.from(text.matchAll(pattern), ([, name]) => name)))
  const [quoted, begun] = [found(/'([\w.-]+)'/g), found(/`([\w.-]+\.)\$\{/g)]
  const isUsed = ({ area, key }: { area: string; key: string }) => {
    const prefixes = key.split('.').flatMap((_, at, parts) => (at > 0 ? `${parts.slice(0, at).join('.')}.` : []))
    const isBegun = prefixes.some((prefix) => begun.has(prefix) || begun.has(`${area}.${prefix}`))
    return quoted.has(key) || quoted.has(`${area}.${key}`) || isBegun
  }
  expect(all.filter((each) => !isUsed(each)).map(({ area, key }) => `${area}.${key}`)).toEqual([])
})

test('says a message with its values in words', () => {
  const limit = { bytes: 26_214_400, beside: 26_214_401 }
  expect(translate('errors.too-large', { name: 'a.png', size: { bytes: 104_881 }, limit: { bytes: 26_214_400 } })).toBe(
    'a.png is too large: 102 KiB. The limit is 25 MiB.',
  )
  expect(translate('errors.too-large-unknown', { name: 'a.png', limit })).toContain('26,214,400 B')
  expect([1, 2, 15_000].map((count) => translate('cli.images', { count }))).toEqual([
    '1 image',
    '2 images',
    '15,000 images',
  ])
})

test('a key that is not there, and a value that is missing or of another type, do not compile', () => {
  // @ts-expect-error there is no such key
  expect(() => translate('errors.nothing')).toThrow()
  // @ts-expect-error no values
  expect(() => translate('cli.waiting')).toThrow()
  // @ts-expect-error a value is missing
  expect(() => translate('cli.waiting', { why: 'a' })).toThrow()
  // @ts-expect-error a count is a number
  translate('cli.images', { count: 'one' })
})
