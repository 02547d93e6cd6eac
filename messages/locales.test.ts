import { describe, expect, test } from 'vitest'
import { type MessageParts, messageParts, textsIn } from '#testing/message-parts.ts'
import { catalogues } from './catalogues.ts'

/** Every catalogue besides the English one. */
const { en, ...translated } = catalogues

/** The command line speaks English only. */
const ENGLISH_ONLY = ['cli', 'cliHelp']

const english = new Map(textsIn(en).filter(([key]) => !ENGLISH_ONLY.some((area) => key.startsWith(`${area}.`))))

describe.each(Object.entries(translated))('%s', (locale, catalogue) => {
  const texts = textsIn(catalogue)

  test('has the messages of English and no others', () => {
    expect(texts.map(([key]) => key).toSorted()).toEqual([...english.keys()].toSorted())
  })

  test('every message has the arguments and tags of English, and plurals of its own language', () => {
    const findings = texts.flatMap(([key, text]) =>
      differences(messageParts(text), messageParts(english.get(key) ?? ''), locale).map((each) => `${key}: ${each}`),
    )
    expect(findings).toEqual([])
  })
})

/** A plural with exact numbers and `other` alone says the same of every other count. */
test.each(Object.entries(catalogues))('%s has every plural that its counts can need', (locale, catalogue) => {
  const categories = new Intl.PluralRules(locale).resolvedOptions().pluralCategories
  const missing = textsIn(catalogue).flatMap(([key, text]) => {
    const { plurals } = messageParts(text)
    const distinguishes = [...plurals].some((each) => each !== 'other' && !each.startsWith('='))
    return distinguishes ? categories.filter((each) => !plurals.has(each)).map((each) => `${key}: ${each}`) : []
  })
  expect(missing).toEqual([])
})

/** An argument that English has only to choose between singular and plural may be left out. */
function differences(parts: MessageParts, wanted: MessageParts, locale: string): readonly string[] {
  const categories = new Intl.PluralRules(locale).resolvedOptions().pluralCategories.map(String)
  return [
    ...[...wanted.args]
      .filter(([name, { isShown }]) => isShown && !parts.args.has(name))
      .map(([name]) => `{${name}} is missing`),
    ...[...parts.args]
      .filter(([name, { kind }]) => wanted.args.get(name)?.kind !== kind)
      .map(([name, { kind }]) => `{${name}} is a ${kind}, in English a ${wanted.args.get(name)?.kind}`),
    ...[...wanted.tags.symmetricDifference(parts.tags)].map((tag) => `<${tag}> is missing or not in English`),
    ...[...parts.plurals]
      .filter((each) => !/^=\d+$/.test(each) && !categories.includes(each))
      .map((each) => `no plural ${each}`),
    ...[...parts.selects].flatMap(([name, options]) =>
      [...options.difference(wanted.selects.get(name) ?? new Set())].map((each) => `{${name}} is never ${each}`),
    ),
  ]
}
