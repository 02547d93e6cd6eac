import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ALGORITHMS } from '../rules/compiled.ts'

/** A script and the name under which Redis keeps it. */
export interface LuaScript {
  readonly text: string
  readonly sha: string
}

/** What fragments share, each after those it uses. */
const SHARED = ['packed', 'blocks', 'bucket'] as const

/** Joins the clock, what fragments share, a fragment for each algorithm and the driver into the one script that makes
 *  decisions. Only a test hands in a clock of its own. */
export function loadLimitScript(clock: string = readLua('clock')): LuaScript {
  const text = [
    `local now = ${chunk(clock)}`,
    ...SHARED.map((name) => `local ${name} = ${chunk(readLua(name))}`),
    'local algorithms = {}',
    ...ALGORITHMS.map((name) => `algorithms['${name}'] = ${chunk(readLua(name))}`),
    readLua('driver'),
  ].join('\n')
  return { text, sha: createHash('sha1').update(text).digest('hex') }
}

/** A file's locals stay its own, and what it returns is the value. */
function chunk(lua: string): string {
  return `(function()\n${lua}\nend)()`
}

function readLua(name: string): string {
  return readFileSync(join(import.meta.dirname, '../../../lua', `${name}.lua`), 'utf8')
}
