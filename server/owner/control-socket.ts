import { once } from 'node:events'
import { chmod, mkdtemp, rename, rm, stat } from 'node:fs/promises'
import type { Server } from 'node:http'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { CannotStart } from '#server/cannot-start.ts'
import { CONTROL, withShortPath } from './control-path.ts'

/**
 * Has the server listen on the socket in the data folder, for nobody but this Unix user and root. Answers what takes the
 * socket away; null where another process over the same folder has it, which serves as well.
 */
export async function listenOnControl(server: Server, dataDir: string): Promise<(() => Promise<void>) | null> {
  const path = join(dataDir, CONTROL)
  if (await answers(dataDir)) return null
  // Made where nobody else can come near, and put into its place when it has its mode: what a crash left there goes.
  const own = await mkdtemp(join(dataDir, 'control-'))
  try {
    await withShortPath(own, 's', async (short) => {
      server.listen(short)
      await once(server, 'listening')
    })
    await chmod(join(own, 's'), 0o600)
    await rename(join(own, 's'), path)
  } finally {
    await rm(own, { recursive: true })
  }
  const { ino } = await stat(path)
  return async () => {
    const found = await stat(path).catch(() => null)
    if (found?.ino === ino) await rm(path, { force: true })
  }
}

/** The server that has a data folder open is another Unix user's. */
export class NotYours extends CannotStart {
  override name = 'NotYours'
}

/** A connection to the server that listens on the socket of a data folder; null where none does. Throws NotYours. */
export function reachControl(dataDir: string): Promise<Socket | null> {
  return withShortPath(dataDir, CONTROL, async (path) => {
    const socket = connect(path)
    try {
      await once(socket, 'connect')
      return socket
    } catch (error) {
      socket.destroy()
      const code = error instanceof Error && 'code' in error ? error.code : null
      if (code === 'ENOENT' || code === 'ECONNREFUSED') return null
      if (code !== 'EACCES') throw error
      throw new NotYours(`Only the user whose server has ${dataDir} open may do that, and root.`)
    }
  })
}

/** Whether a server listens on the socket of a data folder. Throws NotYours. */
export async function answers(dataDir: string): Promise<boolean> {
  const socket = await reachControl(dataDir)
  socket?.destroy()
  return socket !== null
}
