import { hash } from 'node:crypto'
import type { VerifiedRegistrationResponse } from '@simplewebauthn/server'
import type { TRPCError } from '@trpc/server'
import { refuse } from '#server/errors/refuse.ts'
import type { Assertion, Attestation } from './answer.ts'
import { rpIdOf } from './relying-party.ts'
import { webauthn, webauthnHelpers } from './webauthn.ts'

/*
 * The library decides whether an answer is right. If it is not, what is wrong with it is looked up here, because the library's errors are
 * sentences for programmers.
 */

interface Site {
  readonly origin: string
}

interface Known {
  readonly credentialId: string
  readonly publicKey: Uint8Array<ArrayBuffer>
  readonly counter: bigint
}

type Registered = NonNullable<VerifiedRegistrationResponse['registrationInfo']>

/** What an authenticator said of its passkey when it signed. */
interface Signed {
  readonly counter: bigint
  readonly isBackedUp: boolean
}

/** Verifies the answer of an authenticator that has made a passkey, to a challenge that has just been spent. Returns what it has made, or
 *  what is wrong. */
export async function verifyAttestation(site: Site, answer: Attestation): Promise<Registered | TRPCError> {
  const { verifyRegistrationResponse } = await webauthn()
  try {
    const given = { response: answer, ...expected(site, answer) }
    const { verified, registrationInfo } = await verifyRegistrationResponse(given)
    if (verified && registrationInfo) return registrationInfo
  } catch {
    // Described below.
  }
  const { decodeAttestationObject } = await webauthnHelpers()
  return describe(site, answer, () =>
    decodeAttestationObject(toBytes(answer.response.attestationObject)).get('authData'),
  )
}

/** Verifies the answer of a known passkey to a challenge that has just been spent. Returns what it says of itself, or what is wrong. */
export async function verifyAssertion(site: Site, answer: Assertion, passkey: Known): Promise<Signed | TRPCError> {
  const { credentialId: id, publicKey } = passkey
  const { verifyAuthenticationResponse } = await webauthn()
  try {
    const credential = { id, publicKey, counter: Number(passkey.counter) }
    const given = { response: answer, ...expected(site, answer), credential }
    const { verified, authenticationInfo } = await verifyAuthenticationResponse(given)
    const { newCounter, credentialBackedUp: isBackedUp } = authenticationInfo
    if (verified) return { counter: BigInt(newCounter), isBackedUp }
  } catch {
    // Described below.
  }
  return describe(site, answer, () => toBytes(answer.response.authenticatorData), passkey.counter)
}

const expected = (site: Site, { challenge }: { readonly challenge: string }) => ({
  expectedChallenge: challenge,
  expectedOrigin: site.origin,
  expectedRPID: rpIdOf(site),
  requireUserVerification: true,
})

/** Returns what is wrong with an answer; of several things the one that its user can change. */
async function describe(
  site: Site,
  { origin }: { readonly origin: string },
  readData: () => Uint8Array<ArrayBuffer>,
  counter = 0n,
): Promise<TRPCError> {
  const { parseAuthenticatorData } = await webauthnHelpers()
  try {
    const { rpIdHash, flags, counter: counted } = parseAuthenticatorData(readData())
    const isOther = origin !== site.origin || Buffer.from(rpIdHash).toString('hex') !== hash('sha256', rpIdOf(site))
    if (isOther) return refuse('passkey-other-origin', { origin: site.origin })
    if (!flags.uv) return refuse('passkey-unverified')
    if (counter > 0n && BigInt(counted) <= counter) return refuse('passkey-copied')
  } catch {
    // What is no authenticator's data.
  }
  return refuse('wrong-passkey')
}

const toBytes = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(Buffer.from(text, 'base64url'))
