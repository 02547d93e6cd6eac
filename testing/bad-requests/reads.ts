import { type BadRequest, type Drawing, damage, junk, write } from './bad-request.ts'
import { drawType } from './calls.ts'
import { roles } from './scene.ts'

type Field = readonly [string, string]

/** A read of a public or a private image, with conditions, ranges and credentials of any kind. */
export function drawRead(drawing: Drawing): BadRequest {
  const { random, scene } = drawing
  const image = random.pick([scene.publicImage, scene.secretImage])
  const role = random.pick(roles)
  const number = () => random.pick(['', '0', '1', '4999', '5000', '-1', '99999999999999999999', junk(random)])
  const range = () => `${number()}-${number()}`
  const tag = () =>
    random.pick([`"${image.sha256}"`, `W/"${image.sha256}"`, '*', '""', `"${junk(random)}"`, junk(random)])
  const date = () =>
    random.pick(['Thu, 01 Jan 1970 00:00:00 GMT', 'Fri, 31 Dec 9999 23:59:59 GMT', 'Thu', junk(random)])
  const fields: readonly (() => Field)[] = [
    () => ['Range', `bytes=${Array.from({ length: random.pick([1, 1, 2, 500]) }, range).join(',')}`],
    () => ['Range', `${random.pick(['items', 'bytes', junk(random)])}${random.pick(['=', ':', ' '])}${range()}`],
    () => [
      random.pick(['If-None-Match', 'If-Match', 'If-Range']),
      Array.from({ length: 1 + random.below(3) }, tag).join(', '),
    ],
    () => [random.pick(['If-Modified-Since', 'If-Unmodified-Since', 'If-Range']), date()],
    () => [
      'Authorization',
      random.pick([`Bearer ${scene.token}`, `Bearer ${junk(random)}`, `Basic ${junk(random)}`, junk(random)]),
    ],
    () => [
      'Cookie',
      random.pick([junk(random), `next-auth.session-token=${junk(random)}`, 'a=b; '.repeat(random.below(500))]),
    ],
    () => [
      random.pick(['Accept', 'Accept-Encoding', 'Accept-Language']),
      random.pick(['image/*', ';q=', junk(random)]),
    ],
    () => [
      random.pick(['RSC', 'Next-Router-State-Tree', 'Next-Router-Prefetch', 'Next-Url', 'x-middleware-subrequest']),
      random.pick(['1', junk(random)]),
    ],
    () => [
      random.pick(['X-Forwarded-For', 'Forwarded', 'X-Real-IP', 'X-Forwarded-Proto']),
      random.pick(['::1', '127.0.0.1', 'for=x', junk(random)]),
    ],
    () => [
      random.pick(['Referer', 'Origin', 'Sec-Fetch-Site', 'Sec-Fetch-Dest']),
      random.pick(['https://evil.example/', 'cross-site', junk(random)]),
    ],
  ]
  const headers = Array.from({ length: random.below(5) }, () =>
    (fields[random.below(fields.length)] ?? (() => ['X', '']))(),
  )
  const { pathname } = new URL(image.url)
  const query = random.pick([
    '',
    '',
    '?w=400',
    '?w=0',
    `?w=${junk(random)}`,
    `?download=${junk(random)}`,
    `?${junk(random)}`,
  ])
  const method = random.below(4) ? 'GET' : 'HEAD'
  const bytes = write(
    { line: `${method} ${pathname}${query} HTTP/1.1`, headers: [...scene.credentials[role], ...headers] },
    drawing,
  )
  return { class: 'reads', bytes: random.below(5) ? bytes : damage(bytes, random), methods: [method, 'GET'], role }
}

/** An upload with a form, a body or a boundary that is none. */
export function drawUpload(drawing: Drawing): BadRequest {
  const { random, scene } = drawing
  const boundary = random.pick(['x', 'x', 'x', '"x"', 'y'.repeat(300), junk(random)])
  const name = () => random.pick(['file', 'token', 'source', '__proto__', '', junk(random)])
  const part = () => {
    const facts = `Content-Disposition: form-data; name="${name()}"${random.below(2) ? `; filename="${junk(random)}"` : ''}`
    const more = random.pick([
      '',
      '',
      `Content-Type: ${junk(random)}\r\n`,
      'Content-Transfer-Encoding: base64\r\n',
      `${junk(random)}\r\n`,
    ])
    return `--x\r\n${random.below(8) ? facts : junk(random)}\r\n${more}\r\n${random.pick(['\x89PNG\r\n\x1a\n', 'GIF89a', scene.token, junk(random)])}\r\n`
  }
  const form = Buffer.from(`${Array.from({ length: random.pick([0, 1, 2, 3, 40]) }, part).join('')}--x--\r\n`, 'latin1')
  const body = random.below(3) || form.length === 0 ? form : damage(form, random)
  const path = random.pick([
    '/api/upload',
    '/api/1/upload',
    '/api/v1/upload',
    `/api/upload/${encodeURIComponent(junk(random).toWellFormed())}`,
    '/api/trpc/image.upload',
    '/api/zip',
  ])
  const method = random.pick(['POST', 'POST', 'PUT', 'GET', 'DELETE'])
  const type = random.below(6) ? `multipart/form-data; boundary=${boundary}` : drawType(drawing)
  const credentials: readonly Field[] = random.pick([
    [],
    [['Authorization', `Bearer ${scene.token}`]],
    scene.credentials.user,
  ])
  const length = random.below(8)
    ? body.length
    : random.pick([0, body.length + 1, Math.max(0, body.length - 1), 2 ** 31, 2 ** 53])
  const headers: readonly Field[] = [
    ...credentials,
    ['Content-Type', type],
    ['Content-Length', String(length)],
    ...(random.below(5) ? [] : [['Expect', '100-continue'] as const]),
    ...(random.below(3) ? [] : [['X-File-Name', junk(random)] as const]),
  ]
  return {
    class: 'uploads',
    bytes: write({ line: `${method} ${path} HTTP/1.1`, headers, body }, drawing),
    methods: [method, ''],
    role: 'user',
  }
}
