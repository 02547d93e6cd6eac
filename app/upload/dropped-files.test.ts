import { expect, test } from 'vitest'
import { filesOf, unreadWords } from './dropped-files.ts'

const unreadable = new DOMException('', 'NotReadableError')

const file = (name: string, canRead = true) => ({
  ...{ name, isFile: true, isDirectory: false },
  file: (resolve: (file: File) => void, reject: (error: Error) => void) =>
    canRead ? resolve(new File([name], name)) : reject(unreadable),
})

/** A folder is answered in parts, as browsers do. */
const folder = (name: string, parts: readonly (readonly object[])[], canRead = true) => ({
  ...{ name, isFile: false, isDirectory: true },
  createReader: () => {
    const left = [...parts, []]
    return {
      readEntries: (resolve: (part: readonly object[] | undefined) => void, reject: (error: Error) => void) =>
        canRead ? resolve(left.shift()) : reject(unreadable),
    }
  },
})

const dropped = async (...entries: object[]) => {
  const transfer: unknown = { items: entries.map((entry) => ({ webkitGetAsEntry: () => entry })), files: [] }
  const { files, unread } = await filesOf(transfer as DataTransfer)
  return { files: files.map(({ name }) => name), unread }
}

test('folders are read to their end, and the folders within', async () => {
  const within = folder('within', [[file('c.png')]])
  expect(await dropped(folder('photos', [[file('a.png')], [file('b.png'), within]]), file('d.png'))).toEqual({
    files: ['a.png', 'b.png', 'c.png', 'd.png'],
    unread: [],
  })
})

test('what cannot be read takes nothing else with it', async () => {
  const locked = folder('locked', [], false)
  expect(await dropped(folder('photos', [[file('a.png'), file('gone.png', false), locked, file('b.png')]]))).toEqual({
    files: ['a.png', 'b.png'],
    unread: ['gone.png', 'locked'],
  })
  expect(unreadWords(['a', 'b', 'c'])).toBe('Could not be read: a, b, c.')
  expect(unreadWords(['a', 'b', 'c', 'd', 'e'])).toBe('Could not be read: a, b, c and 2 more.')
})

test('what systems hide in a folder is not uploaded', async () => {
  const hidden = ['.DS_Store', '._a.png', 'Thumbs.db', 'desktop.ini'].map((name) => file(name))
  expect(await dropped(folder('photos', [[...hidden, file('a.png')]]))).toEqual({ files: ['a.png'], unread: [] })
})
