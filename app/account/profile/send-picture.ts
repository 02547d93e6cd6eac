/** A refused picture: the server's message and the data of the error, as for a call. */
class PictureRefused extends Error {
  override readonly name = 'PictureRefused'
  readonly data: unknown

  constructor(message: string, data: unknown) {
    super(message)
    this.data = data
  }
}

/** Sends a file as the body of account.setPicture, which the batched calls cannot carry. Throws PictureRefused. */
export async function sendPicture(file: File): Promise<void> {
  const headers = { 'content-type': 'application/octet-stream' }
  const answer = await fetch('/api/trpc/account.setPicture', { method: 'POST', headers, body: file })
  if (answer.ok) return
  const content: unknown = await answer.json().catch(() => null)
  const error: unknown = content instanceof Object ? Reflect.get(content, 'error') : null
  const get = (name: string): unknown => (error instanceof Object ? Reflect.get(error, name) : undefined)
  throw new PictureRefused(String(get('message') ?? answer.status), get('data'))
}
