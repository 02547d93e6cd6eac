import { formatBytes } from '#format/bytes.ts'
import { formatCount } from '#format/counts.ts'
import { formatWait } from '#format/durations.ts'
import { translate } from '#messages/translate.ts'
import { readArguments, readNone } from '../arguments.ts'
import { exitCodes, type Io, print, printJson, say } from '../command.ts'
import type { Api } from '../connection/api.ts'
import { withServer } from '../connection/with-server.ts'
import { table } from '../terminal/table.ts'

type MyLimits = Awaited<ReturnType<Api['limits']['mine']['query']>>

/** Shows what is left of the caller's rules and storage. */
export async function limits(argv: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = readArguments(argv, { json: { type: 'boolean' } })
  readNone(positionals)
  return withServer(io, {}, async ({ api, patience, signal }) => {
    const mine = await patience.run(() => api.limits.mine.query(undefined, { signal }))
    const { room } = await patience.run(() => api.account.me.query(undefined, { signal }))
    if (values.json) printJson(io, { ...mine, room })
    else {
      if (mine.isUnlimited) say(io, translate('cli.limits.exempt'))
      else for (const line of table([heads(), ...mine.rules.map(toRow)], [2, 3])) print(io, line)
      if (room) print(io, `\n${spaceLine(room)}`)
    }
    return exitCodes.done
  })
}

const heads = (): readonly string[] =>
  (['ruleSet', 'rule', 'used', 'left', 'resets'] as const).map((column) => translate(`cli.limits.heads.${column}`))

function toRow({ ruleSet, words, unit, limit, remaining, resetMs }: MyLimits['rules'][number]): readonly string[] {
  const amount = (value: number) => (unit === 'bytes' ? formatBytes(value, 'en') : formatCount(value, 'en'))
  const moreIn = resetMs > 0 ? formatWait(resetMs, 'en') : '-'
  return [ruleSet, words, amount(limit - remaining), amount(remaining), moreIn]
}

const spaceLine = ({ used, quota }: { readonly used: number; readonly quota: number | null }): string =>
  quota === null
    ? translate('cli.limits.space', { used: { bytes: used } })
    : translate('cli.limits.spaceOfQuota', { used: { bytes: used }, quota: { bytes: quota } })
