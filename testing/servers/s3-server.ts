import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from '@20minutes/s3rver'
import v4 from '@20minutes/s3rver/lib/signature/v4.js'

/** A separate S3 server on a free port of the loopback, with one empty bucket. It checks signatures and the clock. */
export interface S3Server extends AsyncDisposable {
  readonly endpoint: string
  readonly host: string
  readonly port: number
  readonly bucket: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** The file with an object's bytes, so that a test can change them without the server's knowledge. */
  objectPath(key: string): string
}

const HOST = '127.0.0.1'
const BUCKET = 'sluice-test'
// The only credentials that the server accepts.
const KEY = 'S3RVER'

// s3rver drops the trailing slash of a bucket's path when it computes the signature.
const { getStringToSign } = v4
v4.getStringToSign = (canonical, request) =>
  getStringToSign({ ...canonical, uri: /^\/[^/]+$/.test(canonical.uri) ? `${canonical.uri}/` : canonical.uri }, request)

export async function startS3Server(): Promise<S3Server> {
  const directory = await mkdtemp(join(tmpdir(), 'sluice-s3-'))
  const s3rver = new S3rver({
    directory,
    silent: true,
    vhostBuckets: false,
    serviceEndpoint: HOST,
    configureBuckets: [{ name: BUCKET }],
  })
  await s3rver.configureBuckets()
  giveFirstBytes(s3rver)
  const answer = s3rver.callback()
  const uploads = join(directory, BUCKET, '._S3rver_uploads')
  const server = createServer((req, res) => {
    answerUploads(uploads, req, res).then(
      (isAnswered) => isAnswered || answer(req, res),
      (error: unknown) => res.destroy(error instanceof Error ? error : undefined),
    )
  })
  server.listen(0, HOST)
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the S3 server has no port')
  return {
    endpoint: `http://${HOST}:${address.port}`,
    host: HOST,
    port: address.port,
    bucket: BUCKET,
    accessKeyId: KEY,
    secretAccessKey: KEY,
    objectPath: (key) => join(directory, BUCKET, `${key}._S3rver_object`),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

/** s3rver treats a range that ends at byte 0 as one without an end. */
function giveFirstBytes({ store }: S3rver): void {
  const getObject = store.getObject.bind(store)
  store.getObject = async (bucket, key, range) => {
    if (range?.start !== 0 || range.end !== 0) return getObject(bucket, key, range)
    const object = await getObject(bucket, key)
    if (object) Object.assign(object, { content: object.content.take(1), range: { start: 0, end: 0 } })
    return object
  }
}

/** Adds what s3rver lacks for multipart uploads: listing and aborting them. Does not check signatures. */
async function answerUploads(folder: string, req: IncomingMessage, res: ServerResponse): Promise<boolean> {
  const url = new URL(req.url ?? '/', 'http://s3')
  const id = url.searchParams.get('uploadId')
  if (req.method === 'GET' && url.searchParams.has('uploads')) {
    const found = await listUploads(folder, url.searchParams.get('prefix') ?? '')
    res.writeHead(200, { 'Content-Type': 'application/xml' }).end(found)
    return true
  }
  if (req.method !== 'DELETE' || id === null || !/^[\w-]+$/.test(id)) return false
  await rm(join(folder, id), { recursive: true, force: true })
  res.writeHead(204).end()
  return true
}

async function listUploads(folder: string, prefix: string): Promise<string> {
  const ids = await readdir(folder).catch(() => [])
  const uploads = await Promise.all(
    ids.map(async (id) => {
      const key = await readFile(join(folder, id, 'key'), 'utf8')
      const { birthtime } = await stat(join(folder, id, 'key'))
      if (!key.startsWith(prefix)) return ''
      return `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${birthtime.toISOString()}</Initiated></Upload>`
    }),
  )
  return `<?xml version="1.0"?><ListMultipartUploadsResult>${uploads.join('')}<IsTruncated>false</IsTruncated></ListMultipartUploadsResult>`
}
