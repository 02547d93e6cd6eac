import { openPostgresDatabase } from '#testing/servers/postgres-database.ts'
import { keepsStorageProtocol } from '#testing/storage/storage-protocol.ts'

keepsStorageProtocol('PostgreSQL', openPostgresDatabase)
