import type { Io } from '../command.ts'
import { createProgress } from '../terminal/create-progress.ts'
import type { Progress } from '../terminal/progress.ts'
import { connect, type ServerConnection } from './connection.ts'

interface Options {
  /** How long a call may wait for limits; by default as long as they say. */
  readonly waitMs?: number
}

/** Runs `work` with a connection to the server of the settings and a progress display. Returns its exit code. */
export async function withServer(
  io: Io,
  { waitMs = Number.POSITIVE_INFINITY }: Options,
  work: (connection: ServerConnection, progress: Progress) => Promise<number>,
): Promise<number> {
  const progress = await createProgress(io)
  try {
    const connection = await connect(io, { waitMs, onWait: (ms, why) => progress.wait(ms, why) })
    return await work(connection, progress)
  } finally {
    progress.end()
  }
}
