import { testListing } from '#testing/listing-suite.ts'
import { createPostgresDatabase } from '#testing/postgres-database.ts'
import { startApp } from '#testing/sluice-app.ts'

testListing(async () => startApp({ SLUICE_GALLERY: 'on', DATABASE_URL: await createPostgresDatabase() }))
