import { refuse } from '#server/errors/refuse.ts'
import { acceptPasskey } from '../passkeys/accept-passkey.ts'
import { readAssertion } from '../passkeys/answer.ts'
import type { SecondStepMethod } from './method.ts'

/** One of the account's passkeys. */
export const passkey: SecondStepMethod = {
  isGuessable: false,
  isReady: ({ passkeys }) => passkeys > 0,
  accept: async (tx, { challenge, answer, ...use }) => {
    const given = readAssertion(answer)
    if (!given) return refuse('wrong-passkey')
    // Of another sign-in, or another browser.
    if (given.challenge !== challenge) return refuse('passkey-expired')
    return acceptPasskey(tx, { ...use, answer: given })
  },
}
