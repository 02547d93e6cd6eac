import { testListing } from '#testing/library/listing-suite.ts'
import { startApp } from '#testing/sluice/sluice-app.ts'

testListing(() => startApp({ SLUICE_GALLERY: 'on' }))
