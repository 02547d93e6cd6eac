import { run } from './run.ts'

export interface ScriptStep {
  readonly name: string
  readonly command: readonly string[]
}

/** The static checks that `npm run check` runs. */
export const checks: readonly ScriptStep[] = [
  { name: 'generate', command: ['node', 'scripts/generate.ts'] },
  { name: 'lint', command: ['biome', 'check', '--error-on-warnings', '.'] },
  { name: 'borders', command: ['node', 'scripts/check-borders.ts'] },
  { name: 'sentences', command: ['node', 'scripts/check-sentences.ts'] },
  { name: 'lockfile', command: ['node', 'scripts/check-lockfile.ts'] },
  { name: 'migrations', command: ['node', 'scripts/check-migrations.ts'] },
  { name: 'docs', command: ['node', 'scripts/check-docs.ts'] },
  { name: 'page types', command: ['next', 'typegen'] },
  // Each checker would work out the types of messages, procedures and tables again.
  { name: 'types', command: ['tsc', '--noEmit', '--checkers', '1'] },
]

/** Runs a step under a heading, and prints its outcome and duration. */
export async function runStep(step: ScriptStep, environment: Record<string, string> = {}): Promise<boolean> {
  console.log(`\n── ${step.name}: ${step.command.join(' ')}`)
  const started = performance.now()
  const succeeded = await run(step.command, environment)
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(`── ${step.name} ${succeeded ? 'passed' : 'FAILED'} in ${seconds} s`)
  return succeeded
}
