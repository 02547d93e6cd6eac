import { createBrowserCookie, readBrowser } from '#server/identity/passkeys/challenges.ts'
import type { askAnyPasskey } from '#server/identity/passkeys/request-options.ts'
import type { Services } from '#server/services.ts'
import { createCallerFactory } from '#server/trpc/init.ts'
import { appRouter } from '#server/trpc/router.ts'
import { describeFailure } from './form-failure.ts'
import type { FormOutcome, FormSender } from './guest-form.ts'

const createCaller = createCallerFactory(appRouter)

/** What a browser is to ask a passkey for, with the Set-Cookie header that binds the answer to it; or why there is nothing. */
export type PasskeyBegun =
  | {
      readonly outcome: 'begun'
      readonly options: ReturnType<typeof askAnyPasskey>
      readonly cookie: string
    }
  | Extract<FormOutcome, { outcome: 'failed' }>

/** Begins a sign-in by a passkey alone, which the form ends. */
export async function beginPasskey(app: Services, { context, signal }: FormSender): Promise<PasskeyBegun> {
  try {
    const kept = readBrowser(app.config, context.header('cookie'))
    const { identity } = createCaller(context, { signal })
    const { browser, options } = await identity.beginPasskeySignIn(kept === undefined ? {} : { browser: kept })
    return { outcome: 'begun', options, cookie: createBrowserCookie(app.config, browser) }
  } catch (thrown) {
    return { outcome: 'failed', ...describeFailure(app, { kind: 'passkey', context }, thrown) }
  }
}
