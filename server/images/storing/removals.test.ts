import { openEmbeddedDatabase } from '#testing/sluice/embedded-database.ts'
import { keepsRemovals } from '#testing/storage/removal-suite.ts'

keepsRemovals('PGlite', openEmbeddedDatabase)
