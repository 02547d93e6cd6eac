import { LRUCache } from 'lru-cache'
import type { Services } from '#server/services.ts'
import type { CallContext } from './context.ts'

/** Milliseconds that figures are kept. */
const FIGURES_MS = 10 * 60_000

/** Characters of JSON that one procedure keeps. */
const CAPACITY = 4_000_000

type Asker = Pick<CallContext, 'app' | 'viewer'>

/** What callers of this process were last told, by who asked for what. */
export class LastAnswers<Answer extends object> {
  readonly #byApp = new WeakMap<Services, LRUCache<string, Answer>>()
  readonly #ttl: number

  /** `ms`: how long an answer is kept. */
  constructor(ms: number) {
    this.#ttl = ms
  }

  find(asker: Asker, input: unknown): Answer | undefined {
    return this.#byApp.get(asker.app)?.get(keyOf(asker, input))
  }

  keep(asker: Asker, input: unknown, answer: Answer): void {
    const kept =
      this.#byApp.get(asker.app) ??
      new LRUCache({ ttl: this.#ttl, maxSize: CAPACITY, sizeCalculation: (each) => JSON.stringify(each).length })
    this.#byApp.set(asker.app, kept)
    kept.set(keyOf(asker, input), answer)
  }
}

/** Figures, and when they were read if they are repeated (ISO 8601). */
type Known<Answer> = Answer & { readonly asOf?: string }

/** A resolver of figures. To a call that lacks permits it repeats what its caller was last told, and refuses it without that: figures
 *  that nobody knows yet cost as much as any. */
export function orLastKnown<Ctx extends CallContext, Input, Answer extends object>(
  read: (call: { readonly ctx: Ctx; readonly input: Input }) => Promise<Answer>,
): (call: { readonly ctx: Ctx; readonly input: Input }) => Promise<Known<Answer>> {
  const lastAnswers = new LastAnswers<Known<Answer>>(FIGURES_MS)
  return async ({ ctx, input }) => {
    if (ctx.degraded) return lastAnswers.find(ctx, input) ?? ctx.refuseBy(ctx.degraded)
    const answer = await read({ ctx, input })
    lastAnswers.keep(ctx, input, { ...answer, asOf: new Date().toISOString() })
    return answer
  }
}

/** Rights are part of it: who has lost them is not told what they were told before. */
function keyOf({ viewer }: Asker, input: unknown): string {
  return JSON.stringify([viewer && [viewer.userId, viewer.role, viewer.shared], input])
}
