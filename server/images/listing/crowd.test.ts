import { testCrowd } from '#testing/library/crowd-suite.ts'
import { startApp } from '#testing/sluice/sluice-app.ts'

testCrowd(() => startApp({ SLUICE_GALLERY: 'on' }))
