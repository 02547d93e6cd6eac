import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** A folder on a separate file system of this many bytes. Null, with a warning, if mounting is not permitted. */
export async function mountSmallDisk(bytes: number): Promise<(AsyncDisposable & { readonly path: string }) | null> {
  const path = await mkdtemp(join(tmpdir(), 'sluice-small-disk-'))
  const remove = () => rm(path, { recursive: true })
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${bytes},mode=700`, 'tmpfs', path])
  } catch (error) {
    await remove()
    console.warn(`No full disk is tried: ${error instanceof Error ? error.message.trim() : error}`)
    return null
  }
  return {
    path,
    async [Symbol.asyncDispose]() {
      // A file that is still open keeps the file system until it is closed.
      await run('umount', ['--lazy', path])
      await remove()
    },
  }
}
