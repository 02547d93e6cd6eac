import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { constants, copyFile, link, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { InvalidSetting } from './cannot-start.ts'

/** Characters of the shortest secret that is taken. */
export const SHORTEST_SECRET = 32

/** The secret in the data folder, made there when there is none. Throws InvalidSetting for a file that holds none. */
export async function siteSecret(dataDir: string): Promise<string> {
  const file = join(dataDir, 'secret')
  if (!existsSync(file)) await makeSecret(file)
  const secret = (await readFile(file, 'utf8')).trim()
  if (secret.length >= SHORTEST_SECRET) return secret
  throw new InvalidSetting(
    `${file} has fewer than ${SHORTEST_SECRET} characters: put back the one that you have kept, or remove it, and everybody signs in again`,
  )
}

/** Written beside, and whole when it is given its name: of several processes that start together one gives it, and nobody
 *  reads a part, which would be a secret that anybody guesses. */
async function makeSecret(file: string): Promise<void> {
  const own = `${file}.${randomUUID()}`
  try {
    await writeFile(own, randomBytes(32).toString('base64url'), { mode: 0o600, flush: true })
    await nameOnce(own, file)
  } finally {
    await rm(own, { force: true })
  }
}

/** Leaves a file alone that is there already. Where a file system has one name for each file, the bytes are copied. */
async function nameOnce(own: string, file: string): Promise<void> {
  await link(own, file)
    .catch(() => copyFile(own, file, constants.COPYFILE_EXCL))
    .catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
}
