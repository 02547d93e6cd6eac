import { TRPCError } from '@trpc/server'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { imageUrl } from '#server/images/image-url.ts'
import { declaredLimits } from '#server/trpc/declared-limits.ts'
import { publicReason } from '#server/trpc/init.ts'
import { appRouter } from '#server/trpc/router.ts'
import { insertToken } from '#testing/accounts/api-token.ts'
import { picture } from '#testing/images/pictures.ts'
import { type Person, startApp, type TestApp } from '#testing/sluice/sluice-app.ts'
import { viewerOfSession } from '../accounts/sessions/sessions.ts'

let test: TestApp
let root: Person
beforeAll(async () => {
  test = await startApp()
  root = await test.person({ role: 'superadmin' })
  await test.app.db.totpFactor.create({
    data: { userId: root.viewer.userId, sealedSecret: '' },
  })
})
afterAll(() => test[Symbol.asyncDispose]())

async function setRule(rule: 'off' | 'offered' | 'required-admins' | 'required-all') {
  const { version } = await test.as(root).site.settings()
  await test.as(root).site.update({ version, change: { SLUICE_SECOND_FACTOR: rule } })
}

const isLed = async ({ sessionId }: Person) => (await viewerOfSession(test.app, sessionId))?.needsFactor

it('leads whom the site’s rule requires to set one up, shared accounts never', async () => {
  const user = await test.person()
  const admin = await test.person({ role: 'admin' })
  const shared = await test.person({ role: 'admin', shared: true })
  const ask = () => Promise.all([user, admin, shared, root].map(isLed))
  const seen: Record<string, unknown> = {}
  for (const rule of ['off', 'offered', 'required-admins', 'required-all'] as const) {
    await setRule(rule)
    seen[rule] = await ask()
  }
  expect(seen).toEqual({
    off: [false, false, false, false],
    offered: [false, false, false, false],
    'required-admins': [false, true, false, false],
    'required-all': [true, true, false, false],
  })
  await test.app.db.totpFactor.create({ data: { userId: user.viewer.userId, sealedSecret: '' } })
  expect(await isLed(user)).toBe(false)
})

it('can do nothing else until then: no call, no bytes of its own, no upload', async () => {
  await setRule('offered')
  const user = await test.person()
  const call = (path: string, init: RequestInit) =>
    fetch(`${test.origin}/api/trpc/${path}`, { ...init, headers: { cookie: user.cookie, ...init.headers } })
  const upload = async () =>
    call('image.upload', {
      method: 'POST',
      body: new Uint8Array(await picture({ width: 32, height: 32 })),
      headers: { 'content-type': 'application/octet-stream' },
    })
  expect((await upload()).status).toBe(200)
  const { id } = await test.app.db.image.findFirstOrThrow({ where: { ownerId: user.viewer.userId } })
  const { mime, slug } = await test.as(user).image.update({ id, visibility: 'private' })
  const own = imageUrl(test.origin, { mime, slug: slug ?? '' })
  const bytes = () => fetch(own, { headers: { cookie: user.cookie } })
  const { url } = await test.as(user).image.download({ id })
  const before = [(await bytes()).status, (await fetch(url)).status]
  await setRule('required-all')
  const meta = z.object({ settingUp: z.boolean().optional() })
  const procedures = declaredLimits(appRouter).filter(({ procedure }) => procedure._def.type !== 'subscription')
  const viewer = await viewerOfSession(test.app, user.sessionId)
  const caller: object = test.as(viewer && { ...user, viewer })
  const answers = await Promise.all(
    procedures.map(async ({ path, procedure: { _def } }) => {
      const call = path.split('.').reduce((at, name): object => Reflect.get(at, name), caller)
      const error: unknown = await Promise.try(() => Reflect.apply(Object(call), null, [{}])).catch((thrown) => thrown)
      const isRefused = error instanceof TRPCError && publicReason(error) === 'factor-needed'
      return [path, isRefused, meta.parse(_def.meta).settingUp ?? false] as const
    }),
  )
  expect(answers.filter(([, isRefused, isOpen]) => isRefused === isOpen)).toEqual([])
  expect(answers.flatMap(([path, , isOpen]) => (isOpen ? [path] : [])).toSorted()).toEqual([
    'identity.addPasskey',
    'identity.beginPasskey',
    'identity.beginProof',
    'identity.beginTotp',
    'identity.confirmTotp',
    'identity.proofWays',
    'identity.proveByPassword',
    'identity.show',
  ])
  expect((await upload()).status).toBe(403)
  const after = [(await bytes()).status, (await fetch(url)).status]
  expect([before, after]).toEqual([
    [200, 200],
    [404, 404],
  ])
})

it('leaves API tokens alone', async () => {
  await setRule('required-all')
  const user = await test.person()
  const { headers } = await insertToken(test, user, ['read'])
  expect((await fetch(`${test.origin}/api/trpc/account.me`, { headers })).status).toBe(200)
})
