import { keepsStorageProtocol } from '#testing/storage-protocol.ts'

keepsStorageProtocol('PGlite', async () => ({ databaseUrl: null }))
