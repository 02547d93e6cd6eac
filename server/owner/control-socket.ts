import { once } from 'node:events'
import { chmod, mkdtemp, rename, rm, stat } from 'node:fs/promises'
import type { Server } from 'node:http'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { translate } from '#messages/translate.ts'
import { CannotStart } from '#server/cannot-start.ts'
import { CONTROL, withShortPath } from './control-path.ts'

/*
 * The owner's commands reach a running server only over this socket, never over the network: connecting requires to be the
 * server's Unix user, or root.
 */

/**
 * Makes the server listen on the socket in the data folder. Returns a function that removes the socket; null if another
 * process over the same folder already listens, which serves the commands just as well.
 */
export async function listenOnControl(server: Server, dataDir: string): Promise<(() => Promise<void>) | null> {
  const path = join(dataDir, CONTROL)
  if (await isListening(dataDir)) return null
  // Created in a private folder and moved once its mode is set, so that no other user can connect before. The move replaces
  // a socket left by a crash.
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

/** The server that uses the data folder runs as another Unix user. */
export class NotYours extends CannotStart {
  override name = 'NotYours'
}

/** Connects to the server that listens on the socket of a data folder; returns null if none does. Throws NotYours. */
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
      throw new NotYours(translate('cli.owner.notYours', { dataDir }))
    }
  })
}

/** Returns whether a server listens on the socket of a data folder. Throws NotYours. */
export async function isListening(dataDir: string): Promise<boolean> {
  const socket = await reachControl(dataDir)
  socket?.destroy()
  return socket !== null
}
