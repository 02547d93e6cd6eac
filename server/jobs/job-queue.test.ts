import { keepsJobs } from '#testing/jobs/job-queue-suite.ts'
import { openEmbeddedDatabase } from '#testing/sluice/embedded-database.ts'

keepsJobs('PGlite', openEmbeddedDatabase)
