import { newSlug } from '#server/images/slug.ts'
import { SignInClient } from '../../accounts/sign-in-flood.ts'
import { type Asked, ask, json, type Outcome } from '../../http/ask.ts'
import type { Visit } from './scene.ts'
import { claims } from './tally.ts'

export const signIn: Visit = async ({ site, address, tally, random }, { owner: { username, password } }) => {
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

export const mistake: Visit = async ({ site, address, random, tally }) => {
  const [path, asked] = random.pick([[`/i/${newSlug()}.png`, {}], ...mistakes])
  const answer = await ask(site, path, address(), asked)
  tally.check(claims.answers, answer.outcome !== 'done', `${path} was answered with ${answer.status}`)
  return answer.outcome
}
