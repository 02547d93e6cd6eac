import { createTRPCClient, TRPCClientError, type TRPCLink } from '@trpc/client'
import { initTRPC } from '@trpc/server'
import { observable } from '@trpc/server/observable'
import { expect, test, vi } from 'vitest'
import { proofLink } from './proof-link.ts'

const { router, procedure } = initTRPC.create()
const testRouter = router({ act: procedure.mutation(() => '') })
type TestRouter = typeof testRouter

/** Creates a client that receives these answers in turn, and is asked for a proof by `ask`. */
function createClient(answers: (string | Error)[], ask: () => Promise<boolean>) {
  const server: TRPCLink<TestRouter> = () => () =>
    observable((observer) => {
      const answer = answers.shift()
      if (answer instanceof Error) return observer.error(TRPCClientError.from(answer))
      observer.next({ result: { data: answer } })
      observer.complete()
    })
  return createTRPCClient<TestRouter>({ links: [proofLink(ask), server] })
}

const failure = (reason: string | null) =>
  TRPCClientError.from<TestRouter>({
    error: { code: -32003, message: 'Refused.', data: { code: 'FORBIDDEN', httpStatus: 403, reason } },
  })

test('repeats a call once the proof that it needs is given', async () => {
  const ask = vi.fn(async () => true)
  const answers = [failure('proof-needed'), 'done']
  expect(await createClient(answers, ask).act.mutate()).toBe('done')
  expect([ask.mock.calls.length, answers]).toEqual([1, []])
})

test('fails as the call did if the proof is not given, and asks once', async () => {
  const answers = [failure('proof-needed'), 'never']
  await expect(createClient(answers, async () => false).act.mutate()).rejects.toThrow('Refused.')
  expect(answers).toEqual(['never'])
  const ask = vi.fn(async () => true)
  const still = [failure('proof-needed'), failure('proof-needed'), 'never']
  await expect(createClient(still, ask).act.mutate()).rejects.toThrow('Refused.')
  expect([ask.mock.calls.length, still]).toEqual([1, ['never']])
})

test('passes on other failures without asking', async () => {
  const ask = vi.fn(async () => true)
  for (const error of [failure('token-scope'), failure(null), new Error('broken')]) {
    await expect(createClient([error, 'never'], ask).act.mutate()).rejects.toThrow()
  }
  expect(ask).not.toHaveBeenCalled()
})

test('does not repeat a call that was given up meanwhile', async () => {
  const asked = Promise.withResolvers<boolean>()
  const leaving = new AbortController()
  const answers = [failure('proof-needed'), 'never']
  const call = createClient(answers, () => asked.promise).act.mutate(undefined, { signal: leaving.signal })
  leaving.abort()
  asked.resolve(true)
  await expect(call).rejects.toThrow()
  expect(answers).toEqual(['never'])
})
