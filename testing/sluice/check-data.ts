import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { childEnvironment } from '#server/config.ts'

export interface DataCheck {
  readonly output: string
  /** Whether nothing is missing or wrong. Objects without a row are no loss. */
  readonly isLossless: boolean
}

const PROGRAM = join(import.meta.dirname, '../../server/check-data.ts')
const LOSS = /^(missing|corrupt|wrong|miscounted)/m

/** Runs `npm run check:data` on the data that these settings name, and then once more to repair it. */
export async function checkData(env: Readonly<Record<string, string>>): Promise<DataCheck> {
  const found = await run(env, [])
  const repaired = await run(env, ['--repair'])
  return {
    output: `${found.output}\n${repaired.output}`,
    isLossless: repaired.code === 0 && !LOSS.test(found.output),
  }
}

function run(
  env: Readonly<Record<string, string>>,
  flags: readonly string[],
): Promise<{ readonly code: number; readonly output: string }> {
  const args = ['--disable-warning=ExperimentalWarning', PROGRAM, ...flags]
  return new Promise((resolve) => {
    execFile(process.execPath, args, { env: childEnvironment(env) }, (error, output, errors) =>
      resolve({ code: error ? 1 : 0, output: output + (error ? errors : '') }),
    )
  })
}
