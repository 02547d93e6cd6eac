import { keepsJobs } from '#testing/job-queue-suite.ts'
import { openPostgresDatabase } from '#testing/postgres-database.ts'

keepsJobs('PostgreSQL', openPostgresDatabase)
