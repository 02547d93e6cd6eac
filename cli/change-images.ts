import { count } from '#app/ui/format.ts'
import { readArguments, readSome } from './arguments.ts'
import type { Io } from './command.ts'
import type { Connection } from './connection.ts'
import { findImage, type ImageKey, readKey } from './image-key.ts'
import { exitCodeOf, outcomeLine, reportJson, tallyLine } from './report.ts'
import { ItemFailed } from './server-error.ts'
import { withServer } from './with-server.ts'
import { type Outcome, type Reported, type Worked, workThrough } from './work-through.ts'

/** Images of one call: some of a minute's permits, so that a few calls pass at once. */
const BATCH = 50

interface Changed {
  readonly state: 'trashed' | 'restored'
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
    const named = await workThrough(keys, {
      parallel: 4,
      labelOf: ({ label }) => label,
      work: async ({ key }) => ({ id: await idOf(connection, key) }),
      tell: () => undefined,
    })
    const worked = await changeAll(named, changes[kind], connection)
    for (const { label, outcome } of worked.reported) progress.say(outcomeLine(label, outcome))
    if (values.json) reportJson(io, worked)
    if (keys.length !== 1) progress.say(tallyLine(count(keys.length, 'image'), worked))
    return exitCodeOf(io, progress, worked)
  })
}

const idOf = async (connection: Connection, key: ImageKey): Promise<string> =>
  'id' in key ? key.id : (await findImage(connection, key)).id

async function changeAll(
  named: Worked<{ readonly id: string }>,
  change: Change,
  connection: Connection,
): Promise<Worked<Changed>> {
  const ids = [...new Set(named.reported.flatMap(({ outcome }) => ('id' in outcome ? [outcome.id] : [])))]
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
    return { label, outcome: 'id' in outcome ? (outcomes.get(outcome.id) ?? { state: 'left' }) : outcome }
  })
  return { reported, ended }
}

function outcomeOf(id: string, outcome: Answer['items'][number]['outcome'], { state }: Change): Outcome<Changed> {
  return outcome === 'done' ? { state, id } : { state: 'failed', reason: reasons[outcome] }
}
