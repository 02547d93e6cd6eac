/**
 * A decoder's process: pool.ts starts it, with the bytes of memory it may use as its argument, and sends it one job at a
 * time, which it says to have taken before it looks at the file. It loads five formats and nothing else, and ends when
 * the server does. The server ends it by SIGKILL.
 */
import sharp from 'sharp'
import { decodeFile } from './decode-file.ts'
import type { DecodeJob } from './decoder.ts'

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

// Ctrl-C goes to every process of the terminal, but the server drains first: an upload under way is still decoded.
process.on('SIGINT', () => undefined)
process.on('SIGTERM', () => undefined)
process.on('disconnect', () => process.exit())
process.on('message', (job: DecodeJob) => {
  process.send?.({ outcome: 'taken' })
  decodeFile(job).then(
    (outcome) => process.send?.({ ...outcome }),
    (error: unknown) => process.send?.(blame(error)),
  )
})
process.send?.({ outcome: 'ready' })

/** An error of the file system is this machine's; any other is the file's. */
function blame(error: unknown) {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? { outcome: 'failed', code } : { outcome: 'undecodable' }
}
