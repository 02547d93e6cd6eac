import { formatBytes } from '#format/bytes.ts'
import { formatCount } from '#format/counts.ts'
import { formatWait } from '#format/durations.ts'
import { readArguments, readNone } from '../arguments.ts'
import { exitCodes, type Io, print, printJson, say } from '../command.ts'
import type { Api } from '../connection/api.ts'
import { withServer } from '../connection/with-server.ts'
import { table } from '../terminal/table.ts'

type MyLimits = Awaited<ReturnType<Api['limits']['mine']['query']>>

/** Shows what remains for whoever asks: of each rule, and of the space for images. */
export async function limits(argv: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = readArguments(argv, { json: { type: 'boolean' } })
  readNone(positionals)
  return withServer(io, { waits: true }, async ({ api, patience, signal }) => {
    const mine = await patience.run(() => api.limits.mine.query(undefined, { signal }))
    const { room } = await patience.run(() => api.account.me.query(undefined, { signal }))
    if (values.json) printJson(io, { ...mine, room })
    else {
      if (mine.isUnlimited) say(io, 'No limit holds you; what your token may do by itself is below.')
      for (const line of table([HEAD, ...mine.rules.map(rowOf)], [2, 3])) print(io, line)
      if (room) print(io, `\n${spaceLine(room)}`)
    }
    return exitCodes.done
  })
}

const HEAD = ['RULE SET', 'RULE', 'USED', 'LEFT', 'MORE IN'] as const

function rowOf({ ruleSet, words, unit, limit, remaining, resetMs }: MyLimits['rules'][number]): readonly string[] {
  const amount = (value: number) => (unit === 'bytes' ? formatBytes(value) : formatCount(value))
  const moreIn = resetMs > 0 ? formatWait(resetMs) : '-'
  return [ruleSet, words, amount(limit - remaining), amount(remaining), moreIn]
}

const spaceLine = ({ used, quota }: { readonly used: number; readonly quota: number | null }): string =>
  `Images take ${formatBytes(used)}${quota === null ? '' : ` of ${formatBytes(quota)}`}.`
