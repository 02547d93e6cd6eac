import { auditSuite } from '#testing/audit-suite.ts'
import { startApp } from '#testing/sluice-app.ts'

auditSuite(() => startApp())
