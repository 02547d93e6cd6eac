import { checks, runLanes } from './steps.ts'

const outcomes = await runLanes([checks.typed, checks.read])
const failed = outcomes.filter(({ succeeded }) => !succeeded).map(({ name }) => name)
if (failed.length > 0) {
  console.error(`\nFailed: ${failed.join(', ')}`)
  process.exitCode = 1
}
