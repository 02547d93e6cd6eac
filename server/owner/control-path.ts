import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The socket over which the owner's commands reach the running server. */
export const CONTROL = 'control.sock'

/** The trailer of a failed backup: the reason as a message, URI-encoded. */
export const FAILURE = 'sluice-failure'

/** The longest socket path: 108 bytes on Linux and 104 on macOS, including the terminating zero. */
const MAX_PATH_BYTES = 103

/**
 * Calls `work` with a path to the socket `name` in `folder` that is short enough. If the plain path is too long, it goes
 * through a symbolic link to the folder, in a temporary folder that only this user can read.
 */
export async function withShortPath<T>(folder: string, name: string, work: (path: string) => Promise<T>): Promise<T> {
  const path = join(folder, name)
  if (Buffer.byteLength(path) <= MAX_PATH_BYTES) return work(path)
  const temp = await mkdtemp(join(tmpdir(), 'sluice-'))
  try {
    await symlink(folder, join(temp, 'd'))
    return await work(join(temp, 'd', name))
  } finally {
    await rm(temp, { recursive: true })
  }
}
