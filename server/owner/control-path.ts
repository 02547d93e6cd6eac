import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The socket over which the owner's commands ask the server that runs. */
export const CONTROL = 'control.sock'

/** The trailer of a backup that was not finished: why, in a sentence, as a component of a URL. */
export const FAILURE = 'sluice-failure'

/** Bytes of the longest path that a socket may have: 108 on Linux and 104 on macOS, with a zero behind. */
const MOST_BYTES = 103

/**
 * Does `work` with a path of the socket `name` in `folder` that is short enough: where it is not, a link to the folder stands
 * in a folder that only this user can read, as long as the work takes.
 */
export async function withShortPath<T>(folder: string, name: string, work: (path: string) => Promise<T>): Promise<T> {
  const path = join(folder, name)
  if (Buffer.byteLength(path) <= MOST_BYTES) return work(path)
  const near = await mkdtemp(join(tmpdir(), 'sluice-'))
  try {
    await symlink(folder, join(near, 'd'))
    return await work(join(near, 'd', name))
  } finally {
    await rm(near, { recursive: true })
  }
}
