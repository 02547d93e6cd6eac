import { createTranslator } from 'use-intl/core'
import { expect, test } from 'vitest'
import { formatsFor } from '#format/formats.ts'
import { upload } from '#messages/en/upload.ts'
import { describeUnread, readChosenFolder, readDroppedFiles } from './dropped-files.ts'

const t = createTranslator({ locale: 'en', messages: { upload }, namespace: 'upload' })

const unreadable = new DOMException('', 'NotReadableError')

const file = (name: string, canRead = true) => ({
  ...{ name, isFile: true, isDirectory: false },
  file: (resolve: (file: File) => void, reject: (error: Error) => void) =>
    canRead ? resolve(new File([name], name)) : reject(unreadable),
})

/** A folder is read in parts, as browsers do. */
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
  const { files, unread } = await readDroppedFiles(transfer as DataTransfer)
  return { files: files.map(({ name }) => name), unread }
}

test('reads folders completely, and the folders in them', async () => {
  const within = folder('within', [[file('c.png')]])
  expect(await dropped(folder('photos', [[file('a.png')], [file('b.png'), within]]), file('d.png'))).toEqual({
    files: ['a.png', 'b.png', 'c.png', 'd.png'],
    unread: [],
  })
})

test('reads the rest when a file or folder cannot be read', async () => {
  const locked = folder('locked', [], false)
  expect(await dropped(folder('photos', [[file('a.png'), file('gone.png', false), locked, file('b.png')]]))).toEqual({
    files: ['a.png', 'b.png'],
    unread: ['gone.png', 'locked'],
  })
  expect(describeUnread(['a', 'b', 'c'], t, formatsFor('en'))).toBe('Could not read a, b, c.')
  expect(describeUnread(['a', 'b', 'c', 'd', 'e'], t, formatsFor('en'))).toBe('Could not read a, b, c and 2 more.')
})

test('skips hidden files of a folder', async () => {
  const hidden = ['.DS_Store', '._a.png', 'Thumbs.db', 'desktop.ini'].map((name) => file(name))
  expect(await dropped(folder('photos', [[...hidden, file('a.png')]]))).toEqual({ files: ['a.png'], unread: [] })
})

test('the name of a folder that is dropped alone is known', async () => {
  const nameOnly = async (...entries: object[]) => {
    const transfer: unknown = { items: entries.map((entry) => ({ webkitGetAsEntry: () => entry })), files: [] }
    return (await readDroppedFiles(transfer as DataTransfer)).folder
  }
  const photos = folder('Holiday', [[file('a.png')]])
  expect(await nameOnly(photos)).toBe('Holiday')
  expect(await nameOnly(folder('Holiday', [[file('a.png')]]), file('b.png'))).toBeNull()
  expect(await nameOnly(file('b.png'))).toBeNull()
})

test('a folder that is chosen has its name and its visible files', () => {
  const chosen = (webkitRelativePath: string) =>
    Object.defineProperty(new File(['a'], webkitRelativePath.split('/').at(-1) ?? ''), 'webkitRelativePath', {
      value: webkitRelativePath,
    })
  const paths = ['Holiday/a.png', 'Holiday/.DS_Store', 'Holiday/.hidden/b.png', 'Holiday/within/c.png']
  const { files, folder } = readChosenFolder(paths.map(chosen))
  expect([files.map(({ name }) => name), folder]).toEqual([['a.png', 'c.png'], 'Holiday'])
  expect(readChosenFolder([])).toEqual({ files: [], folder: null })
})
