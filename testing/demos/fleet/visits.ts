import { z } from 'zod'
import { newSlug } from '#server/images/slug.ts'
import type { UploadAnswer } from '#server/images/uploading/upload-answer.ts'
import { SignInClient } from '../../accounts/sign-in-flood.ts'
import { type Answer, type Asked, ask, dataOf, json, type Outcome, sha256 } from '../../http/ask.ts'
import type { Random } from '../../random.ts'
import type { Entry, Owner } from './entries.ts'
import { CACHE_SECONDS } from './site.ts'
import { claims, type Tally } from './tally.ts'

/** After this many milliseconds no process and no cache has what guests read before a change. */
const SEEN_WITHIN_MS = 1_000 + 2 * CACHE_SECONDS * 1_000

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
type Visit = (scene: Scene, entry: Entry) => Promise<Outcome | null>

const pathOf = ({ url }: UploadAnswer) => new URL(url).pathname

const upload: Visit = async ({ site, address }, entry) => {
  if (entry.state === 'there' || entry.state === 'trash') return null
  const { owner, bytes, visibility } = entry
  entry.state = 'unsure'
  entry.share = null
  const headers = { 'content-type': 'application/octet-stream', 'x-file-name': 'a.png', 'x-visibility': visibility }
  const answer = await ask(site, '/api/trpc/image.upload', address(), {
    method: 'POST',
    headers: { ...headers, cookie: owner.cookie },
    body: bytes,
  })
  if (answer.outcome === 'done') {
    entry.image = dataOf(z.custom<UploadAnswer>(), answer)
    settle(entry, 'there')
  }
  return answer.outcome
}

const readOwn: Visit = async ({ site, address, tally }, entry) => {
  const { image, owner, state } = entry
  if (!image || state === 'unsure') return null
  const answer = await ask(site, pathOf(image), address(), { headers: { cookie: owner.cookie } })
  checkKept(tally, entry, answer)
  return state === 'gone' && answer.outcome === 'refused' ? 'done' : answer.outcome
}

/** Checks an owner's read of an image against its state. */
export function checkKept(tally: Tally, { image, state }: Entry, answer: Answer): void {
  if (!image) return
  const said = `${image.id} was ${state}: ${answer.status}, ${answer.body.length} bytes`
  const isEqual = answer.outcome === 'done' && sha256(answer.body) === image.sha256
  if (state === 'gone') {
    if (answer.outcome === 'done' || answer.outcome === 'refused')
      tally.check(claims.gone, answer.outcome === 'refused', said)
  } else if (answer.outcome === 'done' || answer.outcome === 'refused') tally.check(claims.kept, isEqual, said)
}

/** Another owner or a guest reads an image that is private, or has left guests' sight. */
const readForeign: Visit = async ({ site, address, tally, owners, random }, { image, owner, visibility, ...entry }) => {
  const isHidden =
    visibility === 'private' || (entry.state !== 'there' && performance.now() - entry.since > SEEN_WITHIN_MS)
  if (!image || entry.state === 'unsure' || !isHidden) return null
  const other = random.pick([...owners])
  const cookie = other === owner || random.below(2) === 0 ? null : other.cookie
  const query = random.pick(['', '?w=400', '?download'])
  const answer = await ask(site, pathOf(image) + query, address(), { ...(cookie && { headers: { cookie } }) })
  tally.check(claims.secret, answer.outcome !== 'done', `${pathOf(image)}${query} of somebody else, ${entry.state}`)
  return answer.outcome
}

const readPublic: Visit = async ({ site, address, tally }, entry) => {
  if (!entry.image || entry.state !== 'there' || entry.visibility !== 'public') return null
  const answer = await ask(site, pathOf(entry.image), address())
  // Those without an account may get a public image a moment later.
  if (performance.now() - entry.since > SEEN_WITHIN_MS) checkKept(tally, entry, answer)
  return answer.outcome
}

const page = z.object({ items: z.array(z.object({ id: z.string() })) })

const list: Visit = async ({ site, address, tally, entries }, { owner }) => {
  const answer = await ask(site, '/api/trpc/image.list', address(), { headers: { cookie: owner.cookie } })
  if (answer.outcome !== 'done') return answer.outcome
  const listed = new Set(dataOf(page, answer).items.map(({ id }) => id))
  const foreign = entries.find((entry) => entry.owner !== owner && entry.image && listed.has(entry.image.id))
  tally.check(claims.secret, !foreign, `${owner.username} was listed ${foreign?.image?.id}`)
  return 'done'
}

/** Moves to the trash, or on from there. */
const remove: Visit = async ({ site, address }, entry) => {
  const { image, state, owner } = entry
  if (!image || (state !== 'there' && state !== 'trash')) return null
  const [procedure, next] =
    state === 'there' ? (['image.delete', 'trash'] as const) : (['image.purge', 'gone'] as const)
  entry.state = 'unsure'
  const answer = await ask(site, `/api/trpc/${procedure}`, address(), json({ id: image.id }, owner.cookie))
  if (answer.outcome === 'done') settle(entry, next)
  if (answer.outcome === 'limited') entry.state = state
  return answer.outcome
}

function settle(entry: Entry, state: Entry['state']): void {
  entry.state = state
  entry.since = performance.now()
}

const created = z.object({ id: z.string(), url: z.string() })

const share: Visit = async ({ site, address }, entry) => {
  const { image, owner } = entry
  if (!image || entry.state !== 'there' || entry.share) return null
  const input = { target: { images: [image.id] }, originals: true }
  const answer = await ask(site, '/api/trpc/share.create', address(), json(input, owner.cookie))
  if (answer.outcome === 'done') {
    const { id, url } = dataOf(created, answer)
    entry.share = { id, token: url.split('/').at(-1) ?? '', state: 'open' }
  }
  return answer.outcome
}

const revoke: Visit = async ({ site, address }, { share: shared, owner }) => {
  if (shared?.state !== 'open') return null
  shared.state = 'unsure'
  const answer = await ask(site, '/api/trpc/share.revoke', address(), json({ id: shared.id }, owner.cookie))
  if (answer.outcome === 'done') shared.state = 'revoked'
  if (answer.outcome === 'limited') shared.state = 'open'
  return answer.outcome
}

const opened = z.object({ images: z.array(z.object({ url: z.string() })) })

/** A guest opens a share and reads its image; of one that was revoked, neither may be had. */
const readShared: Visit = async ({ site, address, tally }, entry) => {
  const { image, share: shared } = entry
  if (!image || !shared || shared.state === 'unsure' || entry.state === 'unsure') return null
  const from = address()
  const answer = await ask(site, '/api/trpc/share.open', from, json({ token: shared.token }))
  if (shared.state === 'revoked') {
    tally.check(claims.secret, answer.outcome !== 'done', `a revoked share of ${image.id} was opened`)
    return answer.outcome === 'refused' ? 'done' : answer.outcome
  }
  if (answer.outcome !== 'done') return answer.outcome
  const [shown] = dataOf(opened, answer).images
  if (entry.state !== 'there') {
    tally.check(claims.secret, !shown, `a share shows ${image.id}, which is in the trash`)
    return 'done'
  }
  tally.check(claims.kept, shown !== undefined, `a share does not show ${image.id}`)
  if (!shown) return 'wrong'
  const read = await ask(site, new URL(shown.url).pathname, from)
  if (read.outcome === 'done') checkKept(tally, entry, read)
  return read.outcome
}

const signIn: Visit = async ({ site, address, tally, random }, { owner: { username, password } }) => {
  const isRight = random.below(4) > 0
  using client = new SignInClient(site)
  const guess = isRight ? password : 'not the password of anybody'
  const answer = await client.signIn({ address: address(), username, password: guess }).catch(() => null)
  if (!answer) return 'no answer'
  const hasSession = answer.cookies.some((cookie) => /session-token=./.test(cookie))
  const outcome = answer.status === 401 ? 'refused' : outcomeOfStatus(answer.status)
  if (!isRight || outcome === 'done' || outcome === 'refused')
    tally.check(claims.signedIn, hasSession === isRight, `${username}: ${answer.status}, right: ${isRight}`)
  return outcome
}

function outcomeOfStatus(status: number): Outcome {
  if (status < 400) return 'done'
  if (status === 429) return 'limited'
  if (status === 503) return 'unavailable'
  return status === 502 || status === 504 ? 'no process' : 'wrong'
}

const mistakes: readonly (readonly [string, Asked])[] = [
  ['/api/trpc/image.get?input=%7B', {}],
  ['/api/trpc/image.get?input=%7B%22id%22%3A1%7D', {}],
  ['/api/trpc/no.such.procedure', {}],
  ['/api/trpc/image.delete', json({ id: '00000000-0000-4000-8000-000000000000' })],
  ['/api/trpc/share.open', { ...json({}), body: '{' }],
  ['/api/trpc/image.upload', { method: 'POST', body: Buffer.from('no picture') }],
  ['/no-such-page', {}],
]

const mistake: Visit = async ({ site, address, random, tally }) => {
  const [path, asked] = random.pick([[`/i/${newSlug()}.png`, {}], ...mistakes])
  const answer = await ask(site, path, address(), asked)
  tally.check(claims.answers, answer.outcome !== 'done', `${path} was answered with ${answer.status}`)
  return answer.outcome
}

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
