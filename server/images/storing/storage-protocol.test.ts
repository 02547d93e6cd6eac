import { openEmbeddedDatabase } from '#testing/sluice/embedded-database.ts'
import { keepsStorageProtocol } from '#testing/storage/storage-protocol.ts'

keepsStorageProtocol('PGlite', openEmbeddedDatabase)
