import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Scope } from '#server/accounts/viewer.ts'
import { tokenOf } from '#testing/api-token.ts'
import { type Person, startApp, type TestApp } from '#testing/sluice-app.ts'
import { type CommandHome, commandHome } from '#testing/sluice-command.ts'

let test: TestApp
beforeAll(async () => {
  test = await startApp()
})
afterAll(() => test[Symbol.asyncDispose]())

let colours = 0

/** A small picture unlike any other. */
function picture(): Promise<Buffer> {
  colours += 1
  return sharp({
    create: { width: 8, height: 8, channels: 3, background: { r: colours & 255, g: colours >> 8, b: 7 } },
  })
    .png()
    .toBuffer()
}

interface Visitor extends CommandHome {
  readonly person: Person
}

/** Somebody with a home and a token. */
async function visitor(scopes: readonly Scope[] = ['upload', 'read', 'manage']): Promise<Visitor> {
  const person = await test.person()
  const { token } = await tokenOf(test, person, scopes)
  return { ...(await commandHome({ SLUICE_URL: test.origin, SLUICE_TOKEN: token })), person }
}

describe('sluice upload', () => {
  it('prints one address a line in the order of the words, and everything else elsewhere', async () => {
    await using self = await visitor()
    await mkdir(join(self.folder, 'album/deep'), { recursive: true })
    for (const name of ['b.png', 'album/2.png', 'album/10.png', 'album/deep/x.bin'])
      await writeFile(join(self.folder, name), await picture())
    await writeFile(join(self.folder, 'album/notes.txt'), 'no picture')
    const { code, stdout, stderr } = await self.run(['upload', 'b.png', 'album', '-'], { stdin: await picture() })
    console.log(stdout, stderr)
    expect(code).toBe(0)
  })
})
