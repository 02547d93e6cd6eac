import type { Io } from '../command.ts'
import { createProgress } from '../terminal/create-progress.ts'
import type { Progress } from '../terminal/progress.ts'
import { connect, type ServerConnection } from './connection.ts'

interface Options {
  /** Whether to wait for limits. */
  readonly waits: boolean
}

/** Runs `work` with a connection to the server of the settings and a progress display. Returns its exit code. */
export async function withServer(
  io: Io,
  { waits }: Options,
  work: (connection: ServerConnection, progress: Progress) => Promise<number>,
): Promise<number> {
  const progress = await createProgress(io)
  try {
    const connection = await connect(io, { waits, onWait: (waitMs, why) => progress.wait(waitMs, why) })
    return await work(connection, progress)
  } finally {
    progress.end()
  }
}
