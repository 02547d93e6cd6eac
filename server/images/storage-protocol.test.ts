import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '#server/database/database.ts'
import { keepsStorageProtocol } from '#testing/storage-protocol.ts'

keepsStorageProtocol('PGlite', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'sluice-pglite-'))
  const database = await openDatabase({ dataDir, databaseUrl: null })
  const close = async () => {
    await database.close()
    await rm(dataDir, { recursive: true })
  }
  return { ...database, close }
})
