import { translate } from '#messages/translate.ts'
import { readArguments, readSome, readWaiting, waitingOptions } from '../arguments.ts'
import type { Io } from '../command.ts'
import type { ServerConnection } from '../connection/connection.ts'
import { ItemFailed, isBeyondToken } from '../connection/server-error.ts'
import { withServer } from '../connection/with-server.ts'
import { findImage, type ImageKey, readKey } from '../files/image-key.ts'
import { type ItemOutcome, type Reported, type Worked, workThrough } from '../files/work-through.ts'
import { chooseExitCode, outcomeLine, reportJson, tallyLine } from '../terminal/report.ts'

/** Images per call: a fraction of a minute's permits, so that several calls pass without a wait. */
const BATCH = 50

/** `outside`: there was nothing to restore. `out`: restored or not in the trash, for a token that may not read. */
interface Changed {
  readonly state: 'trashed' | 'restored' | 'outside' | 'out'
  readonly id: string
}

/** The server's outcome for each image. */
interface Answer {
  readonly items: readonly { readonly id: string; readonly outcome: keyof typeof reasons | 'done' }[]
}

type Call = (connection: ServerConnection, ids: readonly string[]) => Promise<Answer>

const calls = {
  delete: ({ api, signal }, ids) => api.image.deleteMany.mutate({ ids: [...ids] }, { signal }),
  restore: ({ api, signal }, ids) => api.image.restoreMany.mutate({ ids: [...ids] }, { signal }),
} as const satisfies Record<string, Call>

const reasons = {
  'not-found': 'errors.image-not-found',
  forbidden: 'errors.image-not-yours',
  limited: 'cli.transfer.limited',
  'not-in-trash': 'cli.transfer.notInTrash',
} as const

/** Moves images to the trash, or restores them: many per call, each with its own outcome. */
export async function changeImages(kind: keyof typeof calls, argv: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = readArguments(argv, { json: { type: 'boolean' }, ...waitingOptions })
  readSome(positionals, 'images')
  return withServer(io, readWaiting(values), async (connection, progress) => {
    const keys = positionals.map((label) => ({ label, key: readKey(label, connection.url) }))
    const known = await workThrough(keys, {
      parallel: 4,
      getLabel: ({ label }) => label,
      work: ({ key }) => resolve(connection, key, kind),
      report: () => undefined,
    })
    const worked = await changeAll(known, calls[kind], connection)
    for (const { label, outcome } of worked.reported) progress.say(outcomeLine(label, outcome))
    if (values.json) reportJson(io, worked)
    if (keys.length !== 1) progress.say(tallyLine('images', worked))
    return chooseExitCode(io, progress, worked)
  })
}

/** Finds an image's id, and returns its state after the call. */
async function resolve(connection: ServerConnection, key: ImageKey, kind: keyof typeof calls): Promise<Changed> {
  if ('id' in key && kind === 'delete') return { state: 'trashed', id: key.id }
  try {
    const { id, trashedAt } = await findImage(connection, key)
    if (kind === 'delete') return { state: 'trashed', id }
    return { state: trashedAt === null ? 'outside' : 'restored', id }
  } catch (error) {
    // A token may have the scope to change images without the one to read them.
    if (isBeyondToken(error) && 'id' in key) return { state: 'out', id: key.id }
    throw error
  }
}

async function changeAll(known: Worked<Changed>, call: Call, connection: ServerConnection): Promise<Worked<Changed>> {
  const toChange = ({ outcome }: Reported<Changed>) =>
    'id' in outcome && outcome.state !== 'outside' ? outcome.id : []
  const ids = [...new Set(known.reported.flatMap(toChange))]
  const answers = new Map<string, keyof typeof reasons | 'done' | ItemFailed>()
  let { ended } = known
  for (let first = 0; first < ids.length && ended === null; first += BATCH) {
    const batch = ids.slice(first, first + BATCH)
    try {
      const { items } = await connection.patience.run(() => call(connection, batch))
      for (const { id, outcome } of items) answers.set(id, outcome)
    } catch (error) {
      if (!(error instanceof ItemFailed)) ended = error
      else for (const id of batch) answers.set(id, error)
    }
  }
  const reported = known.reported.map(({ label, outcome }): Reported<Changed> => {
    if (!('id' in outcome) || outcome.state === 'outside') return { label, outcome }
    return { label, outcome: toOutcome(outcome, answers.get(outcome.id)) }
  })
  return { reported, ended }
}

function toOutcome(done: Changed, answer?: keyof typeof reasons | 'done' | ItemFailed): ItemOutcome<Changed> {
  if (answer === undefined) return { state: 'left' }
  if (answer === 'done') return done
  return { state: 'failed', reason: answer instanceof ItemFailed ? answer.message : translate(reasons[answer]) }
}
