import type { Decision } from '#server/limits/decision.ts'
import { refusalOf } from '#server/limits/describe.ts'
import type { Limiter } from '#server/limits/limiter.ts'
import type { Note, Tracing } from './tracing.ts'

/** Gives each decision a span, if traces are collected; otherwise returns the limiter as it is. */
export function traceLimiter(limiter: Limiter, tracing: Tracing): Limiter {
  if (!tracing.isOn) return limiter
  const [obtain, take] = [limiter.obtain.bind(limiter), limiter.take.bind(limiter)]
  // `reserve` asks `obtain`.
  return Object.assign(limiter, {
    obtain: ((requests, options) =>
      tracing.span(
        'limiter',
        () => ({ 'sluice.label': options?.label ?? '' }),
        (note) => {
          const permit = obtain(requests, options)
          if (permit instanceof Promise)
            void permit.then(
              ({ decision }) => describe(decision, note),
              () => undefined,
            )
          else describe(permit.decision, note)
          return permit
        },
      )) satisfies Limiter['obtain'],
    take: ((sets, caller, cost) =>
      tracing.span(
        'limiter',
        () => ({}),
        async (note) => {
          const decision = await take(sets, caller, cost)
          describe(decision, note)
          return decision
        },
      )) satisfies Limiter['take'],
  })
}

function describe(decision: Decision, note: Note): void {
  const refusal = refusalOf(decision)
  note({ 'sluice.allowed': decision.allowed, ...(refusal && { 'sluice.policy': refusal.policy }) })
}
