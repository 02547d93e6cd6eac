import { type Io, print, say } from '../command.ts'
import { type FileProgress, type Progress, waitLine } from './progress.ts'

/** Returns progress bars on a terminal, lines elsewhere. */
export async function createProgress(io: Io): Promise<Progress> {
  if (!io.stderr.isTTY) return lines(io)
  const { Bars } = await import('./progress-bars.ts')
  return new Bars(io)
}

const still: FileProgress = { moved: () => undefined, end: () => undefined }

/** Prints lines and draws nothing. */
function lines(io: Io): Progress {
  return {
    expect: () => undefined,
    begin: () => still,
    wait: (waitMs, why) => say(io, waitLine(waitMs, why)),
    say: (line) => say(io, line),
    print: (line) => print(io, line),
    end: () => undefined,
  }
}
