/** The program of a decoder process. pool.ts starts it with its memory limit in bytes as the argument and sends it one
 *  job at a time, which it acknowledges before opening the file. It loads five formats and nothing else, and exits when
 *  the server does. The server ends it with SIGKILL. */
import sharp from 'sharp'
import { decodeFile } from './decode-file.ts'
import type { DecodeJob, RenderJob } from './decoder.ts'
import { renderKept } from './kept-picture.ts'

const maxMemory = Number(process.argv[2])
const MEMORY_CHECK_MS = 25

sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: [
    'VipsForeignLoadJpegFile',
    'VipsForeignLoadPngFile',
    'VipsForeignLoadPngBuffer',
    'VipsForeignLoadNsgifFile',
    'VipsForeignLoadWebpFile',
    'VipsForeignLoadHeifFile',
  ],
})
sharp.cache(false)
sharp.concurrency(1)

setInterval(() => {
  if (process.memoryUsage.rss() > maxMemory) process.kill(process.pid, 'SIGKILL')
}, MEMORY_CHECK_MS)

// Ctrl-C reaches every process of the terminal, but the server drains first and still needs its uploads decoded.
process.on('SIGINT', () => undefined)
process.on('SIGTERM', () => undefined)
process.on('disconnect', () => process.exit())
process.on('message', (job: DecodeJob | RenderJob) => {
  process.send?.({ outcome: 'taken' })
  const work = 'kept' in job ? renderKept(job) : decodeFile(job)
  work.then(
    (outcome) => process.send?.({ ...outcome }),
    (error: unknown) => process.send?.(toOutcome(error)),
  )
})
process.send?.({ outcome: 'ready' })

/** A file system error is this machine's fault; any other is the file's. */
function toOutcome(error: unknown) {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? { outcome: 'failed', code } : { outcome: 'undecodable' }
}
