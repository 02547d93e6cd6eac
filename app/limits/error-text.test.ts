import { expect, test } from 'vitest'
import { issueIn, textIn } from './error-text.ts'

test('reads the message that a server names, and its values', () => {
  const text = { code: 'too-large', params: { size: { bytes: 1 } } }
  expect([textIn({ data: { text } }), issueIn({ data: { text, issues: null } })]).toEqual([text, null])
})

test('reads the first problem of an input, and says no more of one that only a programmer understands', () => {
  const issue = { path: 'locale', message: 'Choose …', code: 'locale', params: {} }
  expect(issueIn({ data: { text: null, issues: [issue, {}] } })).toEqual(issue)
  expect(issueIn({ data: { issues: [{ ...issue, code: null }] } })).toEqual({ code: 'input', params: {} })
})

test.each([null, 'text', new Error('no data'), { data: null }, { data: { text: 'x', issues: 'x' } }])(
  '%s names nothing',
  (error) => expect([textIn(error), issueIn(error)]).toEqual([null, null]),
)
