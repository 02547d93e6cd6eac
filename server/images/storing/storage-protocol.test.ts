import { openEmbeddedDatabase } from '#testing/embedded-database.ts'
import { keepsStorageProtocol } from '#testing/storage-protocol.ts'

keepsStorageProtocol('PGlite', openEmbeddedDatabase)
