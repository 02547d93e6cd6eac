import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server'
import { isoCBOR } from '@simplewebauthn/server/helpers'
import type { SignedIn, TestApp } from '../sluice/sluice-app.ts'

/** What an authenticator does differently from what it was asked for. */
export interface Twist {
  readonly origin?: string
  readonly rpId?: string
  readonly challenge?: string
  /** Whether it has verified its user. */
  readonly isVerified?: boolean
  readonly isBackedUp?: boolean
  readonly counter?: number
  readonly userHandle?: string
}

/** A passkey in software. Its answers are JSON, as a browser posts them. */
export interface SoftwarePasskey {
  readonly id: string
  /** Answers that it has been made. */
  make(options: PublicKeyCredentialCreationOptionsJSON, twist?: Twist): string
  /** Answers with a signature. Its counter stays 0, as that of most passkeys. */
  answer(options: PublicKeyCredentialRequestOptionsJSON, twist?: Twist): string
}

/** WebAuthn, section 6.1. */
const FLAGS = { present: 1, verified: 4, mayBeBackedUp: 8, isBackedUp: 16, hasCredential: 64 }

/** Creates a passkey that is used at `origin`. `aaguid` is what it states to be kept by, in hex. */
export function createPasskey(origin: string, aaguid = '0'.repeat(32)): SoftwarePasskey {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(32)
  let handle = ''
  const credential = { id: id.toString('base64url'), rawId: id.toString('base64url'), type: 'public-key' }
  const posted = (response: object) => JSON.stringify({ ...credential, response, clientExtensionResults: {} })

  const clientData = (type: string, challenge: string, twist: Twist) =>
    Buffer.from(
      JSON.stringify({
        type,
        challenge: twist.challenge ?? challenge,
        origin: twist.origin ?? origin,
        crossOrigin: false,
      }),
    )
  const authenticatorData = (rpId: string, twist: Twist, attested?: Buffer) => {
    const { isVerified = true, isBackedUp = false, counter = 0 } = twist
    const flags =
      FLAGS.present +
      FLAGS.mayBeBackedUp +
      (isVerified ? FLAGS.verified : 0) +
      (isBackedUp ? FLAGS.isBackedUp : 0) +
      (attested ? FLAGS.hasCredential : 0)
    const counted = Buffer.alloc(4)
    counted.writeUInt32BE(counter)
    return Buffer.concat([sha256(twist.rpId ?? rpId), Buffer.from([flags]), counted, attested ?? Buffer.alloc(0)])
  }

  return {
    id: credential.id,
    make: ({ challenge, rp, user }, twist = {}) => {
      handle = user.id
      const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
      const key = new Map<number, number | Uint8Array>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x, 'base64url')],
        [-3, Buffer.from(y, 'base64url')],
      ])
      const length = Buffer.alloc(2)
      length.writeUInt16BE(id.length)
      const attested = Buffer.concat([Buffer.from(aaguid, 'hex'), length, id, isoCBOR.encode(key)])
      const object = new Map<string, string | Uint8Array | Map<string, string>>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authenticatorData(rp.id ?? '', twist, attested)],
      ])
      return posted({
        clientDataJSON: clientData('webauthn.create', challenge, twist).toString('base64url'),
        attestationObject: Buffer.from(isoCBOR.encode(object)).toString('base64url'),
        transports: ['internal', 'hybrid'],
      })
    },
    answer: ({ challenge, rpId = '' }, twist = {}) => {
      const client = clientData('webauthn.get', challenge, twist)
      const data = authenticatorData(rpId, twist)
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), privateKey)
      return posted({
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: signature.toString('base64url'),
        userHandle: twist.userHandle ?? handle,
      })
    },
  }
}

const sha256 = (content: string | Buffer): Buffer => createHash('sha256').update(content).digest()

/** Adds a passkey to an account, as its page does. */
export async function addPasskey(test: TestApp, person: SignedIn): Promise<SoftwarePasskey & { rowId: string }> {
  const passkey = createPasskey(test.origin)
  const { identity } = test.as(person)
  const answer = passkey.make(await identity.beginPasskey())
  return { ...passkey, rowId: (await identity.addPasskey({ answer, name: 'a passkey' })).id }
}

/** The same by its row alone: it can answer nothing. Returns its ID. */
export async function insertPasskey(
  { app }: TestApp,
  { viewer }: Pick<SignedIn, 'viewer'>,
  rpId = 'localhost',
): Promise<string> {
  const credentialId = randomBytes(16).toString('base64url')
  const data = { userId: viewer.userId, credentialId, publicKey: new Uint8Array(), name: 'a', rpId }
  return (await app.db.passkey.create({ data, select: { id: true } })).id
}
