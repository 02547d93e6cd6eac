import { expect, test } from 'vitest'
import { type Format, formats } from '#server/images/format.ts'
import { picture } from '#testing/images/pictures.ts'
import { cleanImage } from './clean.ts'

const known = Object.keys(formats) as Format[]

test.each(known)('passes a %s to the cleaner of its format', async (format) => {
  const bytes = await picture({ format, width: 32, height: 32 })
  for (const other of known) {
    const { outcome } = await cleanImage(other, bytes)
    expect(outcome).toBe(other === format ? 'clean' : 'undecodable')
  }
})
