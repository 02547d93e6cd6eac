import { openEmbeddedDatabase } from '#testing/embedded-database.ts'
import { keepsRemovals } from '#testing/removal-suite.ts'

keepsRemovals('PGlite', openEmbeddedDatabase)
