import { TRPCClientError } from '@trpc/client'

type Kind = 'logo' | 'icon'

interface ShownImage {
  readonly hash: string
  readonly width: number
  readonly height: number
  readonly url: string
}

/** Reads a setting's text, `<digest>-<width>x<height>`; null without an image. */
export function readSiteImage(kind: Kind, text: string): ShownImage | null {
  const [, hash, width, height] = /^([0-9a-f]{32})-(\d+)x(\d+)$/.exec(text) ?? []
  if (hash === undefined) return null
  const url = `/brand/${hash}/${kind === 'logo' ? 'logo' : 'icon-192'}.png`
  return { hash, width: Number(width), height: Number(height), url }
}

/** Uploads a file as the body of site.uploadImage. Returns the text of the setting. Rejects as any call does. */
export async function uploadSiteImage(kind: Kind, file: File): Promise<string> {
  const answer = await fetch('/api/trpc/site.uploadImage', {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream', 'x-site-image': kind },
    body: file,
    credentials: 'same-origin',
  })
  const said: unknown = await answer.json()
  if (!answer.ok) throw TRPCClientError.from(isErrorAnswer(said) ? said : new Error(answer.statusText))
  const image = readPath(said, ['result', 'data', 'image'])
  if (typeof image !== 'string') throw new Error('site.uploadImage returned no image')
  return image
}

type ErrorAnswer = Exclude<Parameters<typeof TRPCClientError.from>[0], Error>

const isErrorAnswer = (said: unknown): said is ErrorAnswer => typeof readPath(said, ['error', 'message']) === 'string'

const readPath = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (inner, name) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, name) : null),
    value,
  )
