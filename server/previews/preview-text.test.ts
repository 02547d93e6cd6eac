import { expect, test } from 'vitest'
import { previewDescription, previewLine } from './preview-text.ts'

test('a title is one line without direction marks and what is not printed', () => {
  const hostile = '  "><script>alert(1)</script>\n\u202egnp.exe\u2066 \u200b</title>\0\u0085\ud800 '
  expect(previewLine(hostile)).toBe('"><script>alert(1)</script> gnp.exe </title>�')
  expect(previewLine('\u200b\u202e\u3164')).toBe('')
})

test('a description is cut between words, and a text without blanks between characters', () => {
  const short = 'The harbour at dawn.\n\nTaken from the wall.'
  expect(previewDescription(short)).toBe('The harbour at dawn. Taken from the wall.')
  const long = previewDescription('harbour '.repeat(300))
  expect([long.length, long.slice(-9)]).toEqual([296, ' harbour…'])
  const solid = previewDescription('👩‍🚀'.repeat(3_000))
  expect([[...solid].length, solid.endsWith('…'), solid.isWellFormed()]).toEqual([300, true, true])
})
