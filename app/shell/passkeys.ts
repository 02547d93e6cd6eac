import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'
import type { Translate } from '#app/ui/translate.ts'

/*
 * Passkeys in the browser. What speaks to it is loaded when it is first needed: most visitors have none.
 */

const load = () => import('@simplewebauthn/browser')

/** An answer of a passkey. */
export interface Asked {
  /** As the server takes it: JSON. */
  readonly answer: string
  readonly rpId: string
}

/** A passkey that has not answered. */
class PasskeyFailed extends Error {
  override name = 'PasskeyFailed'
  /** Marks the message as a sentence for the reader. */
  readonly data = {}
}

/** Whether the browser has passkeys, here: at an address without HTTPS it has none. */
export const hasPasskeys = (): boolean => typeof window !== 'undefined' && 'PublicKeyCredential' in window

/** Returns the answer of a passkey that the user chooses. Throws PasskeyFailed. */
export async function askPasskey(
  options: PublicKeyCredentialRequestOptionsJSON,
  t: Translate<'failures'>,
): Promise<Asked> {
  const { startAuthentication } = await load()
  const answer = await explaining(t, () => startAuthentication({ optionsJSON: options }))
  return toAsked(options, answer)
}

/** Makes a passkey, and returns the answer of its authenticator, as JSON. Throws PasskeyFailed. */
export async function makePasskey(
  options: PublicKeyCredentialCreationOptionsJSON,
  t: Translate<'failures'>,
): Promise<string> {
  const { startRegistration } = await load()
  return JSON.stringify(await explaining(t, () => startRegistration({ optionsJSON: options })))
}

/** Returns whether the browser can offer passkeys among the names that it fills in. Loads nothing. */
export async function canOfferPasskeys(): Promise<boolean> {
  if (!hasPasskeys() || !('isConditionalMediationAvailable' in PublicKeyCredential)) return false
  return PublicKeyCredential.isConditionalMediationAvailable()
}

/** Offers passkeys among the names that the browser fills in, until another is asked for. Returns the answer of the one that the user
 *  chooses; null if they choose none. */
export async function offerPasskeys(options: PublicKeyCredentialRequestOptionsJSON): Promise<Asked | null> {
  const { startAuthentication } = await load()
  const chosen = startAuthentication({ optionsJSON: options, useBrowserAutofill: true })
  return chosen.then(
    (answer) => toAsked(options, answer),
    () => null,
  )
}

/** Tells the browser that this site no longer takes a passkey, so that it stops offering it. Not every browser listens. */
export async function forgetPasskey({ rpId, credentialId }: { rpId: string; credentialId: string }): Promise<void> {
  const { sendSignal } = await load()
  const signal = { signalName: 'unknownCredential', rpID: rpId, credentialID: credentialId } as const
  await sendSignal(signal).catch(() => undefined)
}

/** The same for one that has answered. */
export async function forgetAsked({ rpId, answer }: Asked): Promise<void> {
  const { id }: { id?: unknown } = JSON.parse(answer)
  if (typeof id === 'string') await forgetPasskey({ rpId, credentialId: id })
}

const toAsked = ({ rpId = '' }: PublicKeyCredentialRequestOptionsJSON, answer: object): Asked => ({
  answer: JSON.stringify(answer),
  rpId,
})

async function explaining<Answer>(t: Translate<'failures'>, ask: () => Promise<Answer>): Promise<Answer> {
  if (!hasPasskeys()) throw new PasskeyFailed(t('passkeyUnsupported'))
  try {
    return await ask()
  } catch (error) {
    const name = error instanceof Error ? error.name : ''
    throw new PasskeyFailed(t(reasons[name] ?? 'passkeyFailed'), { cause: error })
  }
}

type Reason = 'passkeyCancelled' | 'passkeyPresent' | 'passkeyElsewhere' | 'passkeyUnsuited' | 'passkeyFailed'

/** By the names of WebAuthn's errors. */
const reasons: Readonly<Record<string, Reason>> = {
  AbortError: 'passkeyCancelled',
  NotAllowedError: 'passkeyCancelled',
  InvalidStateError: 'passkeyPresent',
  SecurityError: 'passkeyElsewhere',
  ConstraintError: 'passkeyUnsuited',
  NotSupportedError: 'passkeyUnsuited',
}
