import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { file, inPieces, sizes } from '#testing/http/form-parts.ts'
import { decodeSource } from './base64.ts'

describe('base64', () => {
  const decoded = async (body: string, cut: readonly number[] = [5]) => {
    const chunks: Uint8Array[] = []
    for await (const chunk of decodeSource(inPieces(Buffer.from(body, 'latin1'), cut))) chunks.push(chunk)
    return Buffer.concat(chunks)
  }

  it('is decoded in either alphabet, with or without padding, in lines, and in a data URL', () =>
    fc.assert(
      fc.asyncProperty(
        file,
        sizes,
        fc.constantFrom('base64', 'base64url'),
        fc.boolean(),
        async (bytes, cut, alphabet, inLines) => {
          const plain = bytes.toString(alphabet)
          const body = inLines ? plain.replace(/.{20}/g, '$&\r\n') : plain
          expect((await decoded(body, cut)).equals(bytes)).toBe(true)
          expect((await decoded(`data:image/png;base64,${body}`, cut)).equals(bytes)).toBe(true)
        },
      ),
    ))

  it.each(['?', 'QUJD=QUJD', 'A', 'QUJDQ', '====', 'QUJD\0', 'é', `${'Q'.repeat(300)}=${'Q'.repeat(300)}`])(
    'cannot be %.20s',
    async (body) => {
      await expect(decoded(body)).rejects.toMatchObject({ problem: 'bad-base64' })
    },
  )

  it('may contain as much white space as characters, and little more', async () => {
    const text = (blanks: number) => `QUJD${' '.repeat(blanks)}`
    expect((await decoded(text(4).repeat(20_000), [4_096])).length).toBe(60_000)
    expect((await decoded(text(65_000), [4_096])).toString()).toBe('ABC')
    await expect(decoded(text(66_000), [4_096])).rejects.toMatchObject({ problem: 'bad-base64' })
  })

  it.each([
    'http://169.254.169.254/latest/meta-data',
    ' HTTPS://example.org/a.png',
    'file:///etc/passwd',
    'gopher://x',
  ])('is refused if it is a URL: %s', async (body) => {
    await expect(decoded(body)).rejects.toMatchObject({ problem: 'no-url' })
  })
})
