import { openEmbeddedDatabase } from '#testing/embedded-database.ts'
import { keepsJobs } from '#testing/job-queue-suite.ts'

keepsJobs('PGlite', openEmbeddedDatabase)
