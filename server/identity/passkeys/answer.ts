import { z } from 'zod'

/*
 * What an authenticator answers, as the browser posts it: JSON of WebAuthn's RegistrationResponseJSON or AuthenticationResponseJSON.
 * Of what is not verified, only what is used is read.
 */

const bytes = z.base64url().min(1)
const credential = { id: bytes.max(1_400), rawId: bytes.max(1_400), type: z.literal('public-key') }
const clientExtensionResults = z.unknown().transform(() => ({}))

const assertionSchema = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes,
    authenticatorData: bytes,
    signature: bytes,
    userHandle: z.string().optional(),
  }),
  clientExtensionResults,
})

const attestationSchema = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes,
    attestationObject: bytes,
    transports: z.array(z.string().max(40)).max(10).default([]),
  }),
  clientExtensionResults,
})

/** What the browser says that the answer is for. */
const clientData = z.object({ challenge: bytes, origin: z.string() })

type Answer<Response> = Response & z.infer<typeof clientData>

export type Assertion = Answer<z.infer<typeof assertionSchema>>
export type Attestation = Answer<z.infer<typeof attestationSchema>>

/** Characters of an answer: some authenticators send certificates nobody has asked for. */
export const MAX_ANSWER = 20_000

/** Returns the answer of a passkey; null for what is none. */
export const readAssertion = (text: string): Assertion | null => read(assertionSchema, text)

/** Returns the answer of an authenticator that has made a passkey; null for what is none. */
export const readAttestation = (text: string): Attestation | null => read(attestationSchema, text)

const readClientData = ({ clientDataJSON }: { readonly clientDataJSON: string }) =>
  clientData.parse(JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString()))

function read<Response extends { readonly response: { readonly clientDataJSON: string } }>(
  schema: z.ZodType<Response>,
  text: string,
): Answer<Response> | null {
  try {
    const answer = schema.parse(JSON.parse(text))
    return { ...answer, ...readClientData(answer.response) }
  } catch {
    return null
  }
}
