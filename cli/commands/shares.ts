import { formatUtcMinute } from '#format/dates.ts'
import { translate } from '#messages/translate.ts'
import { readArguments, readNone, readSome, readWaiting, waitingOptions } from '../arguments.ts'
import { exitCodes, type Io, print, printJson } from '../command.ts'
import { ItemFailed } from '../connection/server-error.ts'
import { withServer } from '../connection/with-server.ts'
import { myShares, type Share } from '../files/my-shares.ts'
import { workThrough } from '../files/work-through.ts'
import { chooseExitCode, outcomeLine, reportJson } from '../terminal/report.ts'
import { table } from '../terminal/table.ts'

const options = { json: { type: 'boolean' }, ...waitingOptions } as const

/** Lists the user's shares, newest first. */
export async function shares(argv: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = readArguments(argv, options)
  readNone(positionals)
  return withServer(io, readWaiting(values), async (connection) => {
    const items = await Array.fromAsync(myShares(connection))
    if (values.json) printJson(io, { items })
    else for (const line of table(items.map(toRow))) print(io, line)
    return exitCodes.done
  })
}

function toRow({ id, createdAt, expiresAt, ended, count, views, maxViews, url, title, album }: Share): string[] {
  const end = ended ?? (expiresAt === null ? '-' : formatUtcMinute(expiresAt))
  const seen = maxViews === null ? `${views}` : `${views}/${maxViews}`
  return [id, formatUtcMinute(createdAt), end, `${count}`, seen, url ?? '-', title || (album?.title ?? '')]
}

/** Ends shares, named by their ID or their link. */
export async function revokeShares(argv: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = readArguments(argv, options)
  readSome(positionals, 'shares')
  return withServer(io, readWaiting(values), async (connection, progress) => {
    const { api, patience, signal } = connection
    const isLink = (word: string) => URL.parse(word) !== null
    const known = positionals.some(isLink) ? await Array.fromAsync(myShares(connection)) : []
    const worked = await workThrough(positionals, {
      parallel: 1,
      getLabel: (word) => word,
      work: async (word) => {
        const id = isLink(word) ? known.find(({ url }) => url === word)?.id : word
        if (id === undefined) throw new ItemFailed(translate('cli.sharing.none'))
        await patience.run(() => api.share.revoke.mutate({ id }, { signal }))
        return { state: 'revoked' as const, id }
      },
      report: ({ label, outcome }) => {
        if (outcome.state !== 'left') progress.say(outcomeLine(label, outcome))
      },
    })
    if (values.json) reportJson(io, worked)
    return chooseExitCode(io, progress, worked)
  })
}
