import { z } from 'zod'
import type { UploadAnswer } from '#server/images/uploading/upload-answer.ts'
import { ask, dataOf, json } from '../../http/ask.ts'
import { checkKept, isDecided, pathOf, SEEN_WITHIN_MS, settle, type Visit } from './scene.ts'
import { claims } from './tally.ts'

export const upload: Visit = async ({ site, address }, entry) => {
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

export const readOwn: Visit = async ({ site, address, tally }, entry) => {
  const { image, owner, state } = entry
  if (!image || state === 'unsure') return null
  const answer = await ask(site, pathOf(image), address(), { headers: { cookie: owner.cookie } })
  checkKept(tally, entry, answer)
  return state === 'gone' && answer.outcome === 'refused' ? 'done' : answer.outcome
}

/** Another owner or a guest reads an image that is private, or has left guests' sight. */
export const readForeign: Visit = async (
  { site, address, tally, owners, random },
  { image, owner, visibility, ...entry },
) => {
  const isHidden =
    visibility === 'private' || (entry.state !== 'there' && performance.now() - entry.since > SEEN_WITHIN_MS)
  if (!image || entry.state === 'unsure' || !isHidden) return null
  const other = random.pick([...owners])
  const cookie = other === owner || random.below(2) === 0 ? null : other.cookie
  const query = random.pick(['', '?w=400', '?download'])
  const answer = await ask(site, pathOf(image) + query, address(), { ...(cookie && { headers: { cookie } }) })
  if (isDecided(answer))
    tally.check(claims.secret, answer.outcome !== 'done', `${pathOf(image)}${query} of somebody else, ${entry.state}`)
  return answer.outcome
}

export const readPublic: Visit = async ({ site, address, tally }, entry) => {
  if (!entry.image || entry.state !== 'there' || entry.visibility !== 'public') return null
  const answer = await ask(site, pathOf(entry.image), address())
  // Those without an account may get a public image a moment later.
  if (performance.now() - entry.since > SEEN_WITHIN_MS) checkKept(tally, entry, answer)
  return answer.outcome
}

const page = z.object({ items: z.array(z.object({ id: z.string() })) })

export const list: Visit = async ({ site, address, tally, entries }, { owner }) => {
  const answer = await ask(site, '/api/trpc/image.list', address(), { headers: { cookie: owner.cookie } })
  if (answer.outcome !== 'done') return answer.outcome
  const listed = new Set(dataOf(page, answer).items.map(({ id }) => id))
  const foreign = entries.find((entry) => entry.owner !== owner && entry.image && listed.has(entry.image.id))
  tally.check(claims.secret, !foreign, `${owner.username} was listed ${foreign?.image?.id}`)
  return 'done'
}

/** Moves to the trash, or on from there. */
export const remove: Visit = async ({ site, address }, entry) => {
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
