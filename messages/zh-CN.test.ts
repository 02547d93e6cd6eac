import { expect, test } from 'vitest'
import { messageParts, textsIn } from '#testing/message-parts.ts'
import { en } from './en.ts'
import { zhCN } from './zh-CN.ts'

/* What docs/translating.md says of Chinese text, as far as a program can see it. */

const english = new Map(textsIn(en))
const messages = textsIn(zhCN)
const pieces = messages.flatMap(([key, message]) => messageParts(message).texts.map((text) => `${key}: ${text}`))

const matching = (pattern: RegExp) => pieces.filter((piece) => pattern.test(piece.slice(piece.indexOf(': ') + 2)))

test('Chinese has Chinese punctuation', () => {
  expect(matching(/\p{Script=Han}\s*[.,;:?!()]|[,;:?!()]\s*\p{Script=Han}|\.{3}|["'「」『』]\p{Script=Han}/u)).toEqual(
    [],
  )
})

test('a space stands between Chinese and Latin letters or digits', () => {
  expect(matching(/\p{Script=Han}[A-Za-z\d]|[A-Za-z\d%]\p{Script=Han}/u)).toEqual([])
})

test('no space stands beside Chinese punctuation, at either end, or twice', () => {
  expect(matching(/ [，。；：！？、（）“”]|[，。；：！？、（）“”] | {2}/)).toEqual([])
  expect(messages.filter(([, message]) => message !== message.trim())).toEqual([])
})

test('a sentence ends as it does in English', () => {
  const marks = new Map([
    ['.', '。'],
    ['?', '？'],
    ['…', '…'],
  ])
  const lastSign = (message: string) => message.replace(/(<\/\w+>|\})+$/, '').at(-1) ?? ''
  const differing = messages.filter(([key, message]) => {
    const wanted = marks.get(lastSign(english.get(key) ?? ''))
    return wanted ? lastSign(message) !== wanted : /[。？…]/.test(lastSign(message))
  })
  expect(differing).toEqual([])
})

test('people are addressed as equals, and one word is used for one thing', () => {
  expect(matching(/您|(^|[，。；、])请(?!求)|抱歉|对不起|帐[号户]|账户|登陆|登出|画廊|垃圾桶|删除掉|进行/u)).toEqual([])
})

test('no English is left but names, codes and units', () => {
  const left = messages.flatMap(([key, message]) => {
    const words =
      messageParts(message)
        .texts.join(' ')
        .match(/[A-Za-z][\w.:/-]*\w/g) ?? []
    const original = english.get(key) ?? ''
    return words
      .filter((word) => (/^[A-Z]?[a-z]+$/.test(word) ? !NAMES.has(word) : !original.includes(word) && !NAMES.has(word)))
      .map((word) => `${key}: ${word}`)
  })
  expect(left).toEqual([])
})

/** Words that stay in Latin letters besides those with digits, signs or several capitals: names, and what programs read. */
const NAMES = new Set(
  `ada admin Aegis Amazon amr Asia/Shanghai Authorization Backblaze Bearer Chevereto Cloudflare CNY Command Connect Control Cookie Custom Delete Host IP Logo
  Ctrl Lsky Mac Markdown Obsidian Pro Redis Referer Sluice Standard Wayland Webhook Webhooks Windows ZIP
  boundary email enforce file healthz https image import key limit link login manage metrics mfa mode ms name npx off null on openid private profile public readyz rules
  signin site sluice source upload wait window cost count`.split(/\s+/),
)
