import type { UploadAnswer } from '#server/images/uploading/upload-answer.ts'
import { type Answer, type Outcome, sha256 } from '../../http/ask.ts'
import type { Random } from '../../random.ts'
import type { Entry, Owner } from './entries.ts'
import { CACHE_SECONDS } from './site.ts'
import { claims, type Tally } from './tally.ts'

/** After this many milliseconds no process and no cache has what guests read before a change. */
export const SEEN_WITHIN_MS = 1_000 + 2 * CACHE_SECONDS * 1_000

export interface Scene {
  readonly site: string
  readonly owners: readonly [Owner, ...Owner[]]
  readonly entries: readonly Entry[]
  readonly tally: Tally
  readonly random: Random
  /** A client's address that no other request has. */
  address(): string
}

/** Something that a visitor does with an entry. Returns what became of it; null if there is nothing to do. */
export type Visit = (scene: Scene, entry: Entry) => Promise<Outcome | null>

export const pathOf = ({ url }: UploadAnswer) => new URL(url).pathname

/** Notes that a change was acknowledged. */
export function settle(entry: Entry, state: Entry['state']): void {
  entry.state = state
  entry.since = performance.now()
}

/** Whether an answer says if somebody may have something. */
export const isDecided = ({ outcome }: Answer): boolean => outcome === 'done' || outcome === 'refused'

/** Checks an owner's read of an image against its state. */
export function checkKept(tally: Tally, { image, state }: Entry, answer: Answer): void {
  if (!image || !isDecided(answer)) return
  const said = `${image.id} was ${state}: ${answer.status}, ${answer.body.length} bytes`
  const isThere = answer.outcome === 'done' && sha256(answer.body) === image.sha256
  if (state === 'gone') tally.check(claims.gone, answer.outcome === 'refused', said)
  else tally.check(claims.kept, isThere, said)
}
