import { list, readForeign, readOwn, readPublic, remove, upload } from './image-visits.ts'
import { mistake, signIn } from './other-visits.ts'
import type { Scene, Visit } from './scene.ts'
import { readShared, revoke, share } from './share-visits.ts'
import { claims } from './tally.ts'

/** Each kind of request, and how often it is drawn. */
const visits: readonly (readonly [string, number, Visit])[] = [
  ['upload', 6, upload],
  ['owner reads an original', 6, readOwn],
  ['guest reads a public original', 4, readPublic],
  ['somebody reads what is private or deleted', 4, readForeign],
  ['guest opens a share and reads', 6, readShared],
  ['list', 3, list],
  ['delete', 3, remove],
  ['share', 3, share],
  ['revoke a share', 1, revoke],
  ['sign in', 1, signIn],
  ['invalid request', 3, mistake],
]
const drawn = visits.flatMap((visit) => Array.from({ length: visit[1] }, () => visit)) as [(typeof visits)[number]]

/** Does one thing with one entry that nobody else acts on. */
export async function visit(scene: Scene): Promise<void> {
  const { entries, random, tally } = scene
  const entry = entries[random.below(entries.length)]
  if (!entry || entry.isBusy) return
  entry.isBusy = true
  try {
    const [kind, , act] = random.pick(drawn)
    const outcome = await act(scene, entry)
    if (outcome === null) return
    tally.add(kind, outcome)
    tally.check(claims.answers, outcome !== 'wrong', kind)
  } finally {
    entry.isBusy = false
  }
}
