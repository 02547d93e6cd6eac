import { expect, test } from 'vitest'
import { makeSnippets } from './snippets.ts'

const url = 'https://images.example.org/i/abc.jpg'
const texts = (title: string) =>
  Object.fromEntries(makeSnippets({ url, title, width: 4, height: 3 }).map(({ format, text }) => [format, text]))

test('writes every format', () => {
  expect(texts('A weir')).toEqual({
    image: url,
    markdown: `![A weir](${url})`,
    html: `<img src="${url}" alt="A weir" width="4" height="3">`,
    bbcode: `[img]${url}[/img]`,
  })
})

test('escapes the title in every format', () => {
  expect(texts('](javascript:x) "><script>\n')).toMatchObject({
    markdown: `![\\](javascript:x) "\\>\\<script\\>](${url})`,
    html: `<img src="${url}" alt="](javascript:x) &quot;&gt;&lt;script&gt;" width="4" height="3">`,
  })
})
