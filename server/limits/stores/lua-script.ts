import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A script and the name under which Redis keeps it. */
export interface LuaScript {
  readonly text: string
  readonly sha: string
}

const FOLDER = join(import.meta.dirname, '../../../lua')

/** Joins the clock, the driver and all other files, of which each runs when it is first asked for, into the one script that
 *  makes decisions. Only a test hands in a clock of its own. */
export function loadLimitScript(clock: string = readLua('clock')): LuaScript {
  const others = readdirSync(FOLDER)
    .map((file) => file.replace('.lua', ''))
    .filter((name) => name !== 'clock' && name !== 'driver')
  const text = [
    `local now = ${chunk(clock)}()`,
    'local used = {}',
    // One after the other: a function for each file, in a table, would be made anew at every call.
    'local function use(name)',
    '  local file = used[name]',
    '  if file then return file end',
    ...others.map((name) => `  if name == '${name}' then file = ${chunk(readLua(name))}() end`),
    '  used[name] = file',
    '  return file',
    'end',
    readLua('driver'),
  ].join('\n')
  return { text, sha: createHash('sha1').update(text).digest('hex') }
}

/** A function, so that a file's locals stay its own; it gives what the file returns. */
function chunk(lua: string): string {
  return `(function()\n${lua}\nend)`
}

function readLua(name: string): string {
  return readFileSync(join(FOLDER, `${name}.lua`), 'utf8')
}
