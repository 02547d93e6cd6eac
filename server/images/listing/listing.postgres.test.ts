import { testListing } from '#testing/library/listing-suite.ts'
import { createPostgresDatabase } from '#testing/servers/postgres-database.ts'
import { startApp } from '#testing/sluice/sluice-app.ts'

testListing(async () => startApp({ SLUICE_GALLERY: 'on', DATABASE_URL: await createPostgresDatabase() }))
