import { openPostgresDatabase } from '#testing/postgres-database.ts'
import { keepsStorageProtocol } from '#testing/storage-protocol.ts'

keepsStorageProtocol('PostgreSQL', openPostgresDatabase)
