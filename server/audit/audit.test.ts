import { auditSuite } from '#testing/sluice/audit-suite.ts'
import { startApp } from '#testing/sluice/sluice-app.ts'

auditSuite(() => startApp())
