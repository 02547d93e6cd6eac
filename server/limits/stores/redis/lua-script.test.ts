import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ALGORITHMS } from '../../rules/compiled.ts'
import { RULE_ARGUMENTS } from './arguments.ts'
import { loadLimitScript } from './lua-script.ts'

const FOLDER = join(import.meta.dirname, '../../../../lua')
const files = readdirSync(FOLDER).map((name) => [name, readFileSync(join(FOLDER, name), 'utf8')] as const)

test('the script reads the time of the server, once, and takes none from its caller', () => {
  const { text } = loadLimitScript()
  expect(text.match(/redis\.call\('TIME'\)/g)).toHaveLength(1)
  expect(loadLimitScript("return tonumber(redis.call('GET', 'clock'))").text).not.toContain("redis.call('TIME')")
})

test('the script asks for no key by a name that it made, and for no random number', () => {
  const { text } = loadLimitScript()
  expect(text).not.toMatch(/redis\.p?call\('[A-Z]+', '/)
  expect(text).not.toContain('math.random')
})

test.each(files)('lua/%s opens with what it is for, takes, returns and writes', (_, text) => {
  for (const heading of ['Purpose:', 'KEYS', 'ARGV', 'RETURNS:', 'Keys written:']) {
    expect(text.split('\nlocal ')[0]).toContain(heading)
  }
})

test.each(files)('lua/%s declares every function and name local', (_, text) => {
  expect(text).not.toMatch(/^\s*function /m)
})

test.each(ALGORITHMS)('lua/%s.lua names of each rule what it is sent, in the same words and order', (algorithm) => {
  const [, text = ''] =
    Object.fromEntries(files)[`${algorithm}.lua`]?.match(/^-- ARGV, of each rule: ([\s\S]*?)[.:]/m) ?? []
  const names = text.replaceAll(/\([^)]*\)|\n--/g, '').split(',')
  expect(names.map((name) => name.trim())).toEqual(RULE_ARGUMENTS[algorithm])
})
