import { createHash } from 'node:crypto'
import { ItemFailed } from '../connection/server-error.ts'

/** SHA-256 of a file's bytes in hexadecimal, read piece by piece. Throws ItemFailed where they cannot be read. */
export async function hashOf(bytes: Blob): Promise<string> {
  const hash = createHash('sha256')
  try {
    for await (const chunk of bytes.stream()) hash.update(chunk)
  } catch (error) {
    throw new ItemFailed('The file cannot be read.', { cause: error })
  }
  return hash.digest('hex')
}
