import { createHash } from 'node:crypto'
import { translate } from '#messages/translate.ts'
import { ItemFailed } from '../connection/server-error.ts'

/** Returns a file's SHA-256 in hexadecimal, read in chunks. Throws ItemFailed if it cannot be read. */
export async function hashBlob(bytes: Blob): Promise<string> {
  const hash = createHash('sha256')
  try {
    for await (const chunk of bytes.stream()) hash.update(chunk)
  } catch (error) {
    throw new ItemFailed(translate('cli.transfer.unreadable'), { cause: error })
  }
  return hash.digest('hex')
}
