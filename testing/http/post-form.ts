import type { GuestForm } from '#server/http/pages/forms/guest-form.ts'
import { submitForm } from '#server/http/pages/forms/submit-form.ts'
import { createContext } from '#server/trpc/context.ts'
import type { TestApp } from '../sluice/sluice-app.ts'

interface Sender {
  readonly address: string
  /** The Cookie header. */
  readonly cookie?: string | undefined
}

/** The context of a browser's request, and that it waits. */
export function senderOf({ app }: TestApp, { address, cookie }: Sender) {
  const header = (name: string) => (name === 'cookie' ? cookie : name === 'user-agent' ? 'a browser' : undefined)
  const facts = { viewer: null, address, requestId: crypto.randomUUID(), foreignOrigin: false, header }
  return { context: createContext(app, facts), signal: new AbortController().signal }
}

/** Posts a guest's form, as a browser does. */
export const postForm = (test: TestApp, form: GuestForm, sender: Sender) =>
  submitForm(test.app, form, senderOf(test, sender))

/** Returns 'done', 'second-step', or the reason of the failure. */
export async function outcomeOf(call: ReturnType<typeof submitForm>): Promise<string> {
  const outcome = await call
  return outcome.outcome === 'failed' ? (outcome.failure.data.reason ?? outcome.failure.data.code) : outcome.outcome
}

/** Returns the Cookie header of a browser that was sent these Set-Cookie headers. */
export const toCookie = (headers: readonly string[]): string => headers.map((each) => each.split(';', 1)[0]).join('; ')
