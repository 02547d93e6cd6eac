import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A script and its SHA-1, by which EVALSHA names it. */
export interface LuaScript {
  readonly text: string
  readonly sha: string
}

const FOLDER = join(import.meta.dirname, '../../../../lua')

/** Joins the files of lua/ into the one script that makes decisions: the clock first, then `use(name)`, which runs
 *  another file when it is first needed, then the driver. Only tests pass a clock of their own. */
export function loadLimitScript(clock: string = readLua('clock')): LuaScript {
  const others = readdirSync(FOLDER)
    .map((file) => file.replace('.lua', ''))
    .filter((name) => name !== 'clock' && name !== 'driver')
  const text = [
    `local now = ${chunk(clock)}()`,
    'local used = {}',
    // A chain of ifs: a table of functions would be allocated at every call of the script.
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

/** Wraps a file in a function, so that its locals stay its own; calling it gives what the file returns. */
function chunk(lua: string): string {
  return `(function()\n${lua}\nend)`
}

function readLua(name: string): string {
  return readFileSync(join(FOLDER, `${name}.lua`), 'utf8')
}
