import { openPostgresDatabase } from '#testing/servers/postgres-database.ts'
import { keepsRemovals } from '#testing/storage/removal-suite.ts'

keepsRemovals('PostgreSQL', openPostgresDatabase)
