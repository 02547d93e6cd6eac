// A process of the test cached-processes: reads objects through a cache shared with other processes, on messages from
// its parent, and reports the outcomes. Kills itself at given points.
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { z } from 'zod'
import { CacheFiles } from '#server/storage/cache/cache-files.ts'
import { createCachedStore } from '#server/storage/cached.ts'
import { unmetered } from '#server/storage/meter.ts'
import { isObjectKey } from '#server/storage/object-store.ts'
import { createS3Store } from '#server/storage/s3/s3.ts'
import type { S3Settings } from '#server/storage/s3/settings.ts'

const { folder, maxBytes, settings } = JSON.parse(process.argv[2] ?? '') as {
  readonly folder: string
  readonly maxBytes: number
  readonly settings: S3Settings
}
const command = z.object({
  read: z.string(),
  from: z.number().optional(),
  killAt: z.enum(['chunk', 'removal', 'create']).optional(),
})

let killAt: string | undefined
const kill = (at: string) => at === killAt && process.kill(process.pid, 'SIGKILL')

/** Files that kill the process while it is working on them. */
class DeadlyFiles extends CacheFiles {
  override async create(id: number) {
    const handle = await super.create(id)
    kill('create')
    const write = handle.write.bind(handle)
    let chunks = 0
    Object.assign(handle, {
      write: async (chunk: Buffer, offset: number, length: number, at: number) => {
        chunks += 1
        if (chunks === 3) kill('chunk')
        return write(chunk, offset, length, at)
      },
    })
    return handle
  }

  override remove(id: number): void {
    super.remove(id)
    // The transaction is open here.
    kill('removal')
  }
}

const store = createCachedStore(createS3Store(settings, unmetered), {
  folder,
  maxBytes,
  files: new DeadlyFiles(join(folder, 'objects')),
  trouble: (error) => tell({ trouble: String(error) }),
})
const tell = (what: Record<string, unknown>) => process.send?.(what)
process.on('message', (message) => {
  const { read, killAt: at } = command.parse(message)
  killAt = at
  if (!isObjectKey(read)) throw new TypeError('Not a key')
  answer(read).catch((error: unknown) => tell({ read, error: String(error) }))
})
// Ends with its parent.
process.on('disconnect', () => process.exit())
tell({ ready: true })

async function answer(read: Parameters<typeof store.open>[0]): Promise<void> {
  const { body } = await store.open(read)
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of body) {
    if (bytes === 0) tell({ read, begun: true })
    bytes += chunk.length
    hash.update(chunk)
  }
  tell({ read, sha256: hash.digest('hex'), bytes })
}
