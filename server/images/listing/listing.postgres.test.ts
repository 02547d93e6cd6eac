import { testCrowd } from '#testing/library/crowd-suite.ts'
import { testListing } from '#testing/library/listing-suite.ts'
import { createPostgresDatabase } from '#testing/servers/postgres-database.ts'
import { startApp } from '#testing/sluice/sluice-app.ts'

const open = async () => startApp({ SLUICE_GALLERY: 'on', DATABASE_URL: await createPostgresDatabase() })

testListing(open)
testCrowd(open)
