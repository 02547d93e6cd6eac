import { expect, test } from 'vitest'
import { refuseTooLarge } from './upload-refusals.ts'

const MiB = 1024 ** 2

test('states the name of a file that is too large, if it has one, and its size, if known', () => {
  expect(refuseTooLarge('photo.png', 31.2 * MiB, 25 * MiB).message).toBe(
    'photo.png is too large: 31 MiB. The limit is 25 MiB.',
  )
  expect(refuseTooLarge('', 25 * MiB + 1, 25 * MiB).message).toBe(
    'The file is too large: 26,214,401 B. The limit is 26,214,400 B.',
  )
  expect(refuseTooLarge('photo.png', null, 25 * MiB).message).toBe('photo.png is too large. The limit is 25 MiB.')
})
