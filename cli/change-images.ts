import { count } from '#app/ui/format.ts'
import { readArguments, readSome } from './arguments.ts'
import { CommandFailed, type Io } from './command.ts'
import type { Connection } from './connection.ts'
import { findImage, type ImageKey, readKey } from './image-key.ts'
import { exitCodeOf, outcomeLine, reportJson, tallyLine } from './report.ts'
import { ItemFailed } from './server-error.ts'
import { withServer } from './with-server.ts'
import { type Outcome, type Reported, type Worked, workThrough } from './work-through.ts'

/** Images of one call: some of a minute's permits, so that a few calls pass at once. */
const BATCH = 50

interface Changed {
  readonly state: 'trashed' | 'restored' | 'outside'
  readonly id: string
}

/** What the server answers of each of several. */
interface Answer {
  readonly items: readonly { readonly id: string; readonly outcome: keyof typeof reasons | 'done' }[]
}

interface Change {
  readonly state: Changed['state']
  call(connection: Connection, ids: readonly string[]): Promise<Answer>
}

const changes = {
  delete: {
    state: 'trashed',
    call: ({ api, signal }, ids) => api.image.deleteMany.mutate({ ids: [...ids] }, { signal }),
  },
  restore: {
    state: 'restored',
    call: ({ api, signal }, ids) => api.image.restoreMany.mutate({ ids: [...ids] }, { signal }),
  },
} as const satisfies Record<string, Change>

const reasons = {
  'not-found': 'There is no such image.',
  forbidden: 'This image is not yours.',
  limited: 'These are more of other people’s images than you may change now.',
  'not-in-trash': 'It is not in the trash.',
} as const

/** Moves images to the trash, or out of it: many in a call, each with an answer of its own. */
export async function changeImages(kind: keyof typeof changes, argv: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = readArguments(argv, { json: { type: 'boolean' }, 'no-wait': { type: 'boolean' } })
  readSome(positionals, `which images to ${kind}, by id or address`)
  return withServer(io, { waits: !values['no-wait'] }, async (connection, progress) => {
    const keys = positionals.map((label) => ({ label, key: readKey(label, connection.url) }))
    const known = await workThrough(keys, {
      parallel: 4,
      labelOf: ({ label }) => label,
      work: ({ key }) => named(connection, key, kind),
      tell: () => undefined,
    })
    const worked = await changeAll(known, changes[kind], connection)
    for (const { label, outcome } of worked.reported) progress.say(outcomeLine(label, outcome))
    if (values.json) reportJson(io, worked)
    if (keys.length !== 1) progress.say(tallyLine(count(keys.length, 'image'), worked))
    return exitCodeOf(io, progress, worked)
  })
}

/** An image by its id, and whether there is nothing to change of it. */
interface Named {
  readonly id: string
  readonly isOutside: boolean
}

async function named(connection: Connection, key: ImageKey, kind: keyof typeof changes): Promise<Named> {
  if ('id' in key && kind === 'delete') return { id: key.id, isOutside: false }
  try {
    const { id, trashedAt } = await findImage(connection, key)
    return { id, isOutside: kind === 'restore' && trashedAt === null }
  } catch (error) {
    // A token that may change images need not be one that may read them.
    const isRefused = error instanceof CommandFailed && error.failure === 'refused'
    if (isRefused && 'id' in key) return { id: key.id, isOutside: false }
    throw error
  }
}

async function changeAll(named: Worked<Named>, change: Change, connection: Connection): Promise<Worked<Changed>> {
  const ids = [
    ...new Set(named.reported.flatMap(({ outcome }) => ('id' in outcome && !outcome.isOutside ? [outcome.id] : []))),
  ]
  const outcomes = new Map<string, Outcome<Changed>>()
  let { ended } = named
  for (let first = 0; first < ids.length && ended === null; first += BATCH) {
    const batch = ids.slice(first, first + BATCH)
    try {
      const { items } = await connection.patience.run(() => change.call(connection, batch))
      for (const { id, outcome } of items) outcomes.set(id, outcomeOf(id, outcome, change))
    } catch (error) {
      if (!(error instanceof ItemFailed)) ended = error
      else for (const id of batch) outcomes.set(id, { state: 'failed', reason: error.message })
    }
  }
  const reported = named.reported.map(({ label, outcome }): Reported<Changed> => {
    if (!('id' in outcome)) return { label, outcome }
    const { id, isOutside } = outcome
    return { label, outcome: isOutside ? { state: 'outside', id } : (outcomes.get(id) ?? { state: 'left' }) }
  })
  return { reported, ended }
}

function outcomeOf(id: string, outcome: Answer['items'][number]['outcome'], { state }: Change): Outcome<Changed> {
  return outcome === 'done' ? { state, id } : { state: 'failed', reason: reasons[outcome] }
}
