import { openPostgresDatabase } from '#testing/postgres-database.ts'
import { keepsRemovals } from '#testing/removal-suite.ts'

keepsRemovals('PostgreSQL', openPostgresDatabase)
