import { testListing } from '#testing/listing-suite.ts'
import { startApp } from '#testing/sluice-app.ts'

testListing(() => startApp({ SLUICE_GALLERY: 'on' }))
