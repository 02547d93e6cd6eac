import { expect, test } from 'vitest'
import { MAX_TAG, tagKey, tagName } from './tag-name.ts'

test.each([
  ['  sea  ', 'sea'],
  ['two \t\n words', 'two words'],
  ['cafe\u0301', 'caf\u00e9'],
  ['海 边', '海 边'],
  ['שלום', 'שלום'],
  ['กรุงเทพ', 'กรุงเทพ'],
  ['क्षत्रिय', 'क्षत्रिय'],
  ['👩‍👩‍👧 family', '👩‍👩‍👧 family'],
  ['gpj\u202eexe', 'gpjexe'],
  ['\u2066a\u2069\u200f', 'a'],
  ['a\u0000b\u001b[31m', 'ab[31m'],
  ['half \ud800', 'half \ufffd'],
  ['<script>', '<script>'],
  ['a,b;c#d%e/f', 'a,b;c#d%e/f'],
])('%j is the tag %j', (text, name) => {
  expect(tagName.parse(text)).toBe(name)
})

test.each(['', '   ', '\u200b', '\u202e\u2066', '\u0000', 'x'.repeat(MAX_TAG + 1), 'x'.repeat(100_000)])(
  'the text %j is no tag',
  (text) => {
    expect(tagName.safeParse(text).success).toBe(false)
  },
)

test.each([
  ['Sea', 'SEA'],
  ['Straße', 'STRASSE'],
  ['ΟΔΟΣ', 'οδος'],
  ['ﬁne', 'fine'],
  ['ＡＢＣ', 'abc'],
  ['e\u0301te\u0301', 'ÉTÉ'],
])('%j and %j are one tag', (one, other) => {
  expect(tagKey(one)).toBe(tagKey(other))
})

test.each([
  ['resume', 'résumé'],
  ['sea', 'see'],
  ['海', '海边'],
])('%j and %j are two tags', (one, other) => {
  expect(tagKey(one)).not.toBe(tagKey(other))
})
