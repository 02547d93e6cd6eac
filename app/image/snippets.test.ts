import { expect, test } from 'vitest'
import { snippetsOf } from './snippets.ts'

const url = 'https://images.example.org/i/abc.jpg'
const texts = (title: string) =>
  Object.fromEntries(snippetsOf({ url, title, width: 4, height: 3 }).map(({ name, text }) => [name, text]))

test('writes every form', () => {
  expect(texts('A weir')).toEqual({
    URL: url,
    Markdown: `![A weir](${url})`,
    HTML: `<img src="${url}" alt="A weir" width="4" height="3">`,
    BBCode: `[img]${url}[/img]`,
  })
})

test('a title cannot end what it stands in', () => {
  expect(texts('](javascript:x) "><script>\n')).toMatchObject({
    Markdown: `![\\](javascript:x) "\\>\\<script\\>](${url})`,
    HTML: `<img src="${url}" alt="](javascript:x) &quot;&gt;&lt;script&gt;" width="4" height="3">`,
  })
})
