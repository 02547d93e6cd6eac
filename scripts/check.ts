import { checks, runStep } from './steps.ts'

for (const step of checks) {
  if (!(await runStep(step))) process.exitCode = 1
}
