import { expect, test } from 'vitest'
import { linkFormats, writeLink } from './snippets.ts'

const url = 'https://images.example.org/i/abc.jpg'
const texts = (title: string) =>
  Object.fromEntries(
    linkFormats.map((format) => [format, writeLink({ url, slug: 'abc', title, width: 4, height: 3 }, format)]),
  )

test('writes every format', () => {
  expect(texts('A weir')).toEqual({
    image: url,
    page: 'https://images.example.org/image/abc',
    markdown: `![A weir](${url})`,
    html: `<img src="${url}" alt="A weir" width="4" height="3">`,
    bbcode: `[img]${url}[/img]`,
    rst: `.. image:: ${url}\n   :alt: A weir`,
  })
})

test('escapes the title in every format, and keeps it on its line', () => {
  expect(texts('](javascript:x) "><script>\n.. raw:: html')).toMatchObject({
    markdown: `![\\](javascript:x) "\\>\\<script\\> .. raw:: html](${url})`,
    html: `<img src="${url}" alt="](javascript:x) &quot;&gt;&lt;script&gt; .. raw:: html" width="4" height="3">`,
    rst: `.. image:: ${url}\n   :alt: ](javascript:x) "><script> .. raw:: html`,
  })
  expect(texts(' \n').rst).toBe(`.. image:: ${url}`)
})
