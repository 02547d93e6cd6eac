import { expect, test } from 'vitest'
import { type AddedSet, blankDraft, choicesOf, parseAddedDraft, toAddedDraft } from './added-draft.ts'

test.each([
  { by: 'user', rules: [{ limit: 5, window: '1h' }], mode: 'shadow' },
  { by: 'site', networks: 40, rules: [{ limit: 5, window: '1h' }], mode: 'enforce', cost: 2, count: 'failures' },
  { by: { input: 'id', per: 'subject' }, rules: [{ limit: 5, window: '1h' }], mode: 'enforce', wait: '5s' },
  { by: { input: 'id' }, networks: 20, rules: [{ concurrent: 3 }], mode: 'shadow', onStoreFailure: 'allow' },
] satisfies AddedSet[])('an unchanged draft yields the same set: %j', (set) => {
  expect(parseAddedDraft(toAddedDraft('extra', 'image.list', set))).toEqual(set)
})

test('a draft is no set while a field is missing or invalid', () => {
  const draft = toAddedDraft('extra', 'image.list', {
    by: 'site',
    networks: 20,
    rules: [{ limit: 5, window: '1h' }],
    mode: 'shadow',
  })
  expect(parseAddedDraft(draft)).not.toBeNull()
  expect(parseAddedDraft({ ...draft, name: 'two words' })).toBeNull()
  expect(parseAddedDraft({ ...draft, networks: '19' })).toBeNull()
  expect(parseAddedDraft({ ...draft, terms: { ...draft.terms, cost: '0' } })).toBeNull()
  expect(parseAddedDraft(blankDraft('image.list'))).toBeNull()
})

test('what can be counted', () => {
  expect(choicesOf(['id'])).toEqual(['subject', 'ip', 'user', 'network', 'site', 'per/id', 'input/id'])
})
