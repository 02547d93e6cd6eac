import { run } from './run.ts'

export interface ScriptStep {
  readonly name: string
  readonly command: readonly string[]
}

/** What types and pages depend on. */
const typed: readonly ScriptStep[] = [
  { name: 'generate', command: ['node', 'scripts/generate.ts', 'client'] },
  { name: 'page types', command: ['next', 'typegen'] },
  // Each checker would work out the types of messages, procedures and tables again.
  { name: 'types', command: ['tsc', '--noEmit', '--checkers', '1'] },
]

const read: readonly ScriptStep[] = [
  { name: 'lint', command: ['biome', 'check', '--error-on-warnings', '.'] },
  { name: 'borders', command: ['node', 'scripts/check-borders.ts'] },
  { name: 'sentences', command: ['node', 'scripts/check-sentences.ts'] },
  { name: 'lockfile', command: ['node', 'scripts/check-lockfile.ts'] },
  { name: 'migrations', command: ['node', 'scripts/check-migrations.ts'] },
  { name: 'docs', command: ['node', 'scripts/check-docs.ts'] },
]

/** The static checks that `npm run check` runs, in two lanes side by side, since most keep only one core busy. */
export const checks = { typed, read }

export interface Outcome {
  readonly name: string
  readonly succeeded: boolean
}

/** Runs lanes side by side, the steps of each in order. Prints a step's output when it has ended. */
export async function runLanes(lanes: readonly (readonly ScriptStep[])[]): Promise<readonly Outcome[]> {
  const runLane = async (lane: readonly ScriptStep[]) => {
    const outcomes: Outcome[] = []
    for (const step of lane) {
      const output: Buffer[] = []
      const started = performance.now()
      const succeeded = await run(step.command, {}, (chunk) => output.push(chunk))
      printHeading(step)
      process.stdout.write(Buffer.concat(output))
      printOutcome(step, succeeded, started)
      outcomes.push({ name: step.name, succeeded })
    }
    return outcomes
  }
  return (await Promise.all(lanes.map(runLane))).flat()
}

/** Runs a step by itself, with its output as it comes. */
export async function runStep(step: ScriptStep, environment: Record<string, string> = {}): Promise<boolean> {
  printHeading(step)
  const started = performance.now()
  const succeeded = await run(step.command, environment)
  printOutcome(step, succeeded, started)
  return succeeded
}

const printHeading = ({ name, command }: ScriptStep): void => console.log(`\n── ${name}: ${command.join(' ')}`)

function printOutcome({ name }: ScriptStep, succeeded: boolean, started: number): void {
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(`── ${name} ${succeeded ? 'passed' : 'FAILED'} in ${seconds} s`)
}
