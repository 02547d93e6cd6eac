import { expect, test } from 'vitest'
import { addressOfList, readList, writeList } from './list-address.ts'

const album = '01234567-89ab-4def-8123-456789abcdef'
const opened = (gallery: string) => new URLSearchParams(writeList(new URLSearchParams(gallery)))
const read = (search: string, isTrashed = false) =>
  readList(new URLSearchParams(search), ['mine', 'gallery'], isTrashed)

test('an image’s address names the list it was opened from, without a place in it', () => {
  expect(writeList(new URLSearchParams('at=2026-03'))).toBe('')
  const params = opened('scope=gallery&q=sea+gull&type=png&sort=title&at=2026-03')
  expect(readList(params, ['mine', 'gallery'], false)).toEqual({
    scope: 'gallery',
    trash: false,
    query: { text: 'sea gull', type: 'png' },
    sort: 'title',
  })
  expect(addressOfList(params, false)).toBe('/?scope=gallery&q=sea+gull&type=png&sort=title')
})

test('an album has its own order when its page was left, and that of the gallery otherwise', () => {
  expect(read(`album=${album}`)).toEqual({ trash: false, query: { album } })
  expect(addressOfList(new URLSearchParams({ album }), false)).toBe(`/albums/${album}`)
  const filtered = opened(`album=${album}`)
  expect(readList(filtered, ['mine'], false)).toEqual({ scope: 'mine', trash: false, query: { album }, sort: 'newest' })
  expect(addressOfList(filtered, false)).toBe(`/?album=${album}&sort=newest`)
})

test('without a list, or with one that the viewer has not, it is their own images', () => {
  expect(read('')).toEqual({ scope: 'mine', trash: false })
  expect(read('scope=all&type=exe&album=1')).toEqual({ scope: 'mine', trash: false })
  expect(addressOfList(new URLSearchParams(), false)).toBe('/')
})

test('an image in the trash is among those in the trash', () => {
  expect(read('', true)).toEqual({ scope: 'mine', trash: true })
  expect(read('scope=gallery', true)).toEqual({ scope: 'mine', trash: true })
  expect(addressOfList(new URLSearchParams(), true)).toBe('/trash')
})
