import type { UploadAnswer } from '#server/images/uploading/upload-answer.ts'
import { animation, picture } from '../../images/pictures.ts'

export interface Owner {
  readonly username: string
  readonly password: string
  readonly cookie: string
}

export interface Share {
  readonly id: string
  readonly token: string
  /** `unsure` if its revocation had no answer. */
  state: 'open' | 'revoked' | 'unsure'
}

/** An owner's image of a file, as far as answers tell. */
export interface Entry {
  readonly owner: Owner
  readonly bytes: Buffer
  readonly visibility: 'private' | 'public'
  /** `unsure` if a request that changes it had no answer. */
  state: 'there' | 'trash' | 'gone' | 'unsure'
  /** When the state was last acknowledged, by `performance.now()`. */
  since: number
  /** One visitor at a time acts on it. */
  isBusy: boolean
  image: UploadAnswer | null
  share: Share | null
}

const FILES = 16

/** An entry for each owner and file; owners have the same files, which are stored once. */
export async function makeEntries(owners: readonly Owner[]): Promise<readonly Entry[]> {
  const sizes = [
    { width: 320, height: 240, format: 'jpeg' },
    { width: 1_200, height: 900, format: 'jpeg' },
    { width: 240, height: 180, format: 'png' },
    { width: 640, height: 480, format: 'webp' },
  ] as const
  const files = await Promise.all([
    ...Array.from({ length: FILES }, (_, seed) => picture({ seed, ...sizes[seed % sizes.length] })),
    animation('gif'),
    animation('webp'),
  ])
  return owners.flatMap((owner) =>
    files.map((bytes, at): Entry => {
      const visibility = at % 3 === 0 ? 'public' : 'private'
      const fresh = { state: 'gone', since: 0, isBusy: false, image: null, share: null } as const
      return { owner, bytes, visibility, ...fresh }
    }),
  )
}
