import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const PROGRAM = `
const { logEverything, openLog } = await import(${JSON.stringify(join(import.meta.dirname, 'log.ts'))})
logEverything()
openLog('info').info({ userId: 'u1' }, 'request')
console.log('\\u001b[32m ready\\u001b[39m in %d s', 2)
console.log('')
console.warn('careful\\nwith it')
console.error(new Error('broken'))
process.emitWarning(Object.assign(new Error('old'), { emitter: { cookie: 'secret' } }))
process.emitWarning('new', 'ExperimentalWarning')
setImmediate(() => { throw new Error('a bug') })
`

test('what the console, Node and a crash print are lines of JSON', async () => {
  const run = promisify(execFile)(process.execPath, ['--input-type=module', '--eval', PROGRAM])
  const { code, stdout, stderr } = await run.then(
    (said) => ({ code: 0, ...said }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  )
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect([code, stderr]).toEqual([1, ''])
  expect(stdout).not.toContain('secret')
  // Node may emit its warnings, and flush the console, after the crash.
  const said = lines.map(({ level, msg, err, userId }) => [level, err?.message ?? msg.split('\n')[0], userId].join(' '))
  expect(said.toSorted()).toEqual([
    'error Error: broken ',
    'fatal a bug ',
    'info ready in 2 s ',
    'info request u1',
    'warn careful ',
    'warn old ',
  ])
})
