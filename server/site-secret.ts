import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { constants, copyFile, link, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { InvalidSetting } from './cannot-start.ts'

/** In characters. */
export const MIN_SECRET_LENGTH = 32

/** Returns the secret in the data folder, creating it if it is missing. Throws InvalidSetting if the file has none. */
export async function siteSecret(dataDir: string): Promise<string> {
  const file = join(dataDir, 'secret')
  if (!existsSync(file)) await makeSecret(file)
  const secret = (await readFile(file, 'utf8')).trim()
  if (secret.length >= MIN_SECRET_LENGTH) return secret
  throw new InvalidSetting(
    `${file} has fewer than ${MIN_SECRET_LENGTH} characters: restore it from a copy, or delete it, which signs everyone out`,
  )
}

/** Returns the secret in the data folder; null if it has none yet. */
export async function presentSecret(dataDir: string): Promise<string | null> {
  return existsSync(join(dataDir, 'secret')) ? siteSecret(dataDir) : null
}

/** Writes a temporary file and links it into place. Of processes that start together only one succeeds, and none can read a
 *  partial secret, which would be easy to guess. */
async function makeSecret(file: string): Promise<void> {
  const own = `${file}.${randomUUID()}`
  try {
    await writeFile(own, randomBytes(32).toString('base64url'), { mode: 0o600, flush: true })
    await linkOnce(own, file)
  } finally {
    await rm(own, { force: true })
  }
}

/** Keeps an existing file. Copies where the file system has no hard links. */
async function linkOnce(own: string, file: string): Promise<void> {
  await link(own, file)
    .catch(() => copyFile(own, file, constants.COPYFILE_EXCL))
    .catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
}
