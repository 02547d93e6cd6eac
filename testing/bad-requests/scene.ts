import { randomUUID } from 'node:crypto'
import { insertToken } from '../accounts/api-token.ts'
import { type StoredImage, storeImageFor } from '../library/stored-image.ts'
import type { Person, TestApp } from '../sluice/sluice-app.ts'

export const roles = ['guest', 'user', 'shared', 'admin', 'superadmin'] as const
export type Role = (typeof roles)[number]

/** Who sends bad requests, and what is there for them to reach. */
export interface BadRequestScene {
  /** The headers by which a role signs in. */
  readonly credentials: Readonly<Record<Role, readonly (readonly [string, string])[]>>
  /** The accounts that send. */
  readonly senders: readonly Person[]
  /** An API token of the user. */
  readonly token: string
  /** A public image of 5,000 bytes, and a private one, of somebody who sends nothing. */
  readonly publicImage: StoredImage
  readonly secretImage: StoredImage
  /** What only the owner of the private image and a superadmin may read. */
  readonly secrets: readonly string[]
  /** Names and ids of what exists. The public image and its owner are not among them, since it must remain. */
  readonly names: readonly [string, ...string[]]
}

export async function makeBadRequestScene(server: TestApp): Promise<BadRequestScene> {
  const [owner, user, shared] = [await server.person(), await server.person(), await server.person({ shared: true })]
  const [admin, superadmin] = [await server.person({ role: 'admin' }), await server.person({ role: 'superadmin' })]
  const title = `secret ${randomUUID()}`
  const filename = `secret-${randomUUID()}.png`
  const text = `secret bytes ${randomUUID()}`
  const bytes = Buffer.from(text.repeat(30))
  const secretImage = await storeImageFor(server, owner, { visibility: 'private', title, filename, bytes })
  const publicImage = await storeImageFor(server, owner, { visibility: 'public', bytes: Buffer.alloc(5_000, 'x') })
  const own = await storeImageFor(server, user, { visibility: 'private' })
  const { token } = await insertToken(server, user, ['upload', 'read'])
  const signIn = ({ cookie }: Person) => [['Cookie', cookie]] as const
  return {
    credentials: {
      guest: [],
      user: signIn(user),
      shared: signIn(shared),
      admin: signIn(admin),
      superadmin: signIn(superadmin),
    },
    senders: [user, shared, admin, superadmin],
    token,
    publicImage,
    secretImage,
    secrets: [title, filename, text, secretImage.sha256],
    names: [
      randomUUID(),
      ...[own, secretImage].flatMap(({ id, slug }) => [id, slug]),
      own.sha256,
      ...[user, shared, superadmin].map(({ viewer }) => viewer.userId),
    ],
  }
}
