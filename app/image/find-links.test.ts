import { expect, test } from 'vitest'
import { findLinks } from './find-links.ts'

const linksIn = (text: string) => findLinks(text).flatMap(({ text, href }) => (href === null ? [] : [text]))

test.each([
  ['see https://a.example/x?y=1&z=%20#part.', ['https://a.example/x?y=1&z=%20#part']],
  ['(https://a.example/wiki/Weir_(river))', ['https://a.example/wiki/Weir_(river)']],
  ['HTTP://A.example, and https://b.example!', ['HTTP://A.example', 'https://b.example']],
  ['见 https://a.example/图。然后', ['https://a.example/图']],
  ['“https://a.example”', ['https://a.example']],
  ['<https://a.example>', ['https://a.example']],
  ['javascript:alert(1) data:text/html,x ftp://a.example //a.example www.a.example', []],
  ['https://user:secret@a.example https://good.example@evil.example', []],
  ['https:// http://[ https://', []],
  ['a https://a.example\nhttps://b.example\tc', ['https://a.example', 'https://b.example']],
])('the links of %j are %j', (text, links) => {
  expect(linksIn(text)).toEqual(links)
})

test('the parts together are the text, and addresses are those of the browser', () => {
  const text = 'one https://ä.example/<b> two\n'
  const parts = findLinks(text)
  expect(parts.map((part) => part.text).join('')).toBe(text)
  expect(parts[1]).toEqual({ text: 'https://ä.example/', href: 'https://xn--4ca.example/' })
  expect(findLinks('')).toEqual([])
})
