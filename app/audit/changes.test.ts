import { createTranslator } from 'use-intl/core'
import { expect, test } from 'vitest'
import { formatsFor } from '#format/formats.ts'
import { audit } from '#messages/en/audit.ts'
import { describeValue, listChanges, nameField } from './changes.ts'

const t = createTranslator({ locale: 'en', messages: { audit }, namespace: 'audit' })
const format = formatsFor('en')

/** The changes in words: the field, before, after. */
const inWords = (states: Parameters<typeof listChanges>[0]) =>
  listChanges(states).map(({ field, before, after }) => [
    nameField(t, field) ?? field,
    ...[before, after].map((value) => value !== null && describeValue(t, format, field, value)),
  ])

test('fields that an act has changed, in words', () => {
  const before = { title: 'Tea', visibility: 'private', isTrashed: false, quotaBytes: null }
  const after = { title: 'Tea', visibility: 'link', isTrashed: true, quotaBytes: 5 * 1024 ** 2 }
  expect(inWords({ before, after })).toEqual([
    ['Visibility', 'Private', 'Anyone with the link'],
    ['In the trash', 'no', 'yes'],
    ['Quota', false, '5 MiB'],
  ])
})

test('fields without a name, and values that only look like a choice, stay as recorded', () => {
  expect(inWords({ before: { title: 'public' }, after: { title: 'link', terms: { mode: 'shadow' } } })).toEqual([
    ['Title', 'public', 'link'],
    ['terms.mode', false, 'shadow'],
  ])
  expect(inWords({ before: null, after: { role: 'bishop', expiresAt: '2026-11-23T10:00:00.000Z' } })).toEqual([
    ['Role', false, 'bishop'],
    ['Valid until', false, format.date('2026-11-23T10:00:00.000Z', { time: true })],
  ])
})
