import { z } from 'zod'
import { ask, dataOf, json } from '../../http/ask.ts'
import { checkKept, isDecided, type Visit } from './scene.ts'
import { claims } from './tally.ts'

const created = z.object({ id: z.string(), url: z.string() })

export const share: Visit = async ({ site, address }, entry) => {
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

export const revoke: Visit = async ({ site, address }, { share: shared, owner }) => {
  if (shared?.state !== 'open') return null
  shared.state = 'unsure'
  const answer = await ask(site, '/api/trpc/share.revoke', address(), json({ id: shared.id }, owner.cookie))
  if (answer.outcome === 'done') shared.state = 'revoked'
  if (answer.outcome === 'limited') shared.state = 'open'
  return answer.outcome
}

const opened = z.object({ images: z.array(z.object({ url: z.string() })) })

/** A guest opens a share and reads its image; of one that was revoked, neither may be had. */
export const readShared: Visit = async ({ site, address, tally }, entry) => {
  const { image, share: shared } = entry
  if (!image || !shared || shared.state === 'unsure' || entry.state === 'unsure') return null
  const from = address()
  const answer = await ask(site, '/api/trpc/share.open', from, json({ token: shared.token }))
  if (shared.state === 'revoked') {
    if (isDecided(answer))
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
