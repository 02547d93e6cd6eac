import type { Random } from '../random.ts'
import { type BadRequest, type Drawing, damage, junk, write } from './bad-request.ts'

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'PRI', 'get', '']

/** A request line and headers of any kind. */
export function drawHead(drawing: Drawing): BadRequest {
  const { random, scene } = drawing
  const method = random.pick(['GET', 'HEAD', ...methods])
  const paths = ['/', '/i/', scene.publicImage.url, '/api/trpc/account.me', '/api/upload', '/api/zip', '/metrics', '*']
  const target = random.pick([
    '/',
    ...paths,
    `${random.pick(['/', ...paths])}${junk(random)}`,
    `http://[::1${junk(random)}`,
  ])
  const version = random.pick([
    'HTTP/1.1',
    'HTTP/1.1',
    'HTTP/1.1',
    'HTTP/1.0',
    'HTTP/0.9',
    'HTTP/2.0',
    'HTCPCP/1.0',
    '',
  ])
  const names = [
    'Host',
    'Connection',
    'Expect',
    'Upgrade',
    'Content-Length',
    'TE',
    'Trailer',
    'Origin',
    'Referer',
    'Via',
  ]
  const headers = Array.from({ length: random.below(8) }, () => {
    return [random.pick(['X', ...names, junk(random)]), random.pick(['close', 'keep-alive, x', junk(random)])] as const
  })
  const bytes = write({ line: `${method} ${target} ${version}`, headers }, drawing)
  return {
    class: 'heads',
    bytes: random.below(2) ? bytes : damage(bytes, random),
    methods: [method, ''],
    role: 'guest',
  }
}

/** Heads of up to 100 kB: one long field, or thousands of short ones. */
export function drawLargeHead(drawing: Drawing): BadRequest {
  const { random } = drawing
  const field = random.pick([
    () => Array.from({ length: random.below(5_000) }, () => ['a', ''] as const),
    () => [['X', 'x'.repeat(random.below(100_000))] as const],
    () => [['x'.repeat(random.below(100_000)), ''] as const],
    () => [['Cookie', 'a=b; '.repeat(random.below(5_000))] as const],
  ])()
  const path = random.below(2) ? '/healthz' : `/${'x'.repeat(random.below(20_000))}`
  return {
    class: 'large heads',
    bytes: write({ line: `GET ${path} HTTP/1.1`, headers: field }, drawing),
    methods: ['GET'],
    role: 'guest',
  }
}

const HIDDEN = 'GET /healthz HTTP/1.1\r\nHost: hidden\r\n\r\n'

/** A body whose end two parsers could see in different places, with a request hidden in it. */
export function drawSmuggling(drawing: Drawing): BadRequest {
  const { random } = drawing
  const chunked = `0\r\n\r\n${HIDDEN}`
  const length = String(chunked.length)
  const shapes: readonly (readonly (readonly [string, string])[])[] = [
    [
      ['Content-Length', length],
      ['Transfer-Encoding', 'chunked'],
    ],
    [
      ['Transfer-Encoding', 'chunked'],
      ['Content-Length', '5'],
    ],
    [
      ['Content-Length', '5'],
      ['Content-Length', length],
    ],
    [['Content-Length', `5, ${length}`]],
    [['Content-Length', `+${length}`]],
    [['Content-Length', `0x${chunked.length.toString(16)}`]],
    [['Content-Length', `-${length}`]],
    [['Content-Length', `${length}\v`]],
    [['Content-Length', '99999999999999999999']],
    [['Content-Length ', length]],
    [
      ['Transfer-Encoding ', 'chunked'],
      ['Content-Length', length],
    ],
    [
      ['Transfer-Encoding', 'xchunked'],
      ['Content-Length', length],
    ],
    [['Transfer-Encoding', 'chunked, identity']],
    [
      ['Transfer-Encoding', 'identity'],
      ['Content-Length', '5'],
    ],
    [
      ['Transfer-Encoding', 'chunked'],
      ['Transfer-Encoding', 'identity'],
    ],
    [['Transfer-Encoding', '\vchunked']],
    [
      ['X', '\r\n Transfer-Encoding: chunked'],
      ['Content-Length ', '5'],
    ],
    [
      ['X', 'x\rTransfer-Encoding: chunked'],
      ['Content-Length', '5'],
    ],
    [
      ['X', 'x\nTransfer-Encoding: chunked'],
      ['Content-Length', '5'],
    ],
  ]
  const headers = shapes[random.below(shapes.length)] ?? []
  const path = random.pick(['/api/trpc/account.signOutEverywhere', '/api/upload', '/healthz', '/nowhere'])
  const line = `${random.pick(['POST', 'GET'])} ${path} HTTP/1.1`
  const json = ['Content-Type', 'application/json'] as const
  return {
    class: 'smuggling',
    bytes: write({ line, headers: [json, ...headers], body: chunked }, drawing),
    methods: ['POST'],
    isLast: true,
    role: 'guest',
  }
}

/** A body in chunks, some of which are not. */
export function drawChunks(drawing: Drawing): BadRequest {
  const { random } = drawing
  const chunk = () => {
    const data = 'x'.repeat(random.below(300))
    const size = data.length.toString(16)
    const told = random.pick([
      size,
      size,
      size,
      size.toUpperCase(),
      `000${size}`,
      `${size};a="${junk(random)}"`,
      'ffffffffffffffff',
      `-${size}`,
      junk(random),
    ])
    return `${told}${random.pick(['\r\n', '\r\n', '\r\n', '\n'])}${data}\r\n`
  }
  const trailer = random.pick([
    '',
    '',
    `X: ${junk(random)}\r\n`,
    'Content-Length: 5\r\n',
    `X-Forwarded-For: ${junk(random)}\r\n`,
  ])
  const body = `${Array.from({ length: random.below(6) }, chunk).join('')}${random.pick(['0', '0', '00', ''])}\r\n${trailer}\r\n`
  const type = random.pick([
    'application/json',
    'multipart/form-data; boundary=x',
    'application/octet-stream',
    junk(random),
  ])
  const path = random.pick(['/api/trpc/account.signUp', '/api/trpc/image.upload', '/api/upload', '/i/none', '/'])
  const headers = [
    ['Content-Type', type],
    ['Transfer-Encoding', 'chunked'],
  ] as const
  return {
    class: 'chunks',
    bytes: write({ line: `POST ${path} HTTP/1.1`, headers, body: Buffer.from(body, 'latin1') }, drawing),
    methods: ['POST', ''],
    role: 'guest',
  }
}

/** Several requests at a time, the last of which may be bad: answered in their order. */
export function drawPipeline(drawing: Drawing): BadRequest {
  const { random, scene } = drawing
  const image = new URL(scene.publicImage.url).pathname
  const json = [
    ['Content-Type', 'application/json'],
    ['Content-Length', '2'],
  ] as const
  const requests = Array.from({ length: 1 + random.below(12) }, () =>
    random.pick([
      () => ({ method: 'GET', bytes: write({ line: 'GET /healthz HTTP/1.1' }, drawing), expected: /^200 / }),
      () => ({ method: 'HEAD', bytes: write({ line: `HEAD ${image} HTTP/1.1` }, drawing), expected: /^200 / }),
      () => ({
        method: 'GET',
        bytes: write({ line: 'GET /api/trpc/account.me HTTP/1.1' }, drawing),
        expected: /^200 /,
      }),
      () => ({ method: 'GET', bytes: write({ line: 'GET /i/nothing HTTP/1.1' }, drawing), expected: /^404 / }),
      () => ({
        method: 'POST',
        bytes: write({ line: 'POST /api/trpc/account.signOutEverywhere HTTP/1.1', headers: json, body: '{}' }, drawing),
        expected: /^401 /,
      }),
      () => readByte(image, random, drawing),
    ])(),
  )
  const end = random.pick([
    '',
    '',
    'bad\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
  ])
  return {
    class: 'pipelines',
    bytes: Buffer.concat([...requests.map(({ bytes }) => bytes), Buffer.from(end)]),
    methods: [...requests.map(({ method }) => method), ...(end ? ['GET'] : [])],
    expected: [...requests.map(({ expected }) => expected), ...(end ? [/^400 /] : [])],
    isLast: end !== '',
    role: 'guest',
  }
}

function readByte(image: string, random: Random, drawing: Drawing) {
  const at = random.below(5_000)
  const headers = [['Range', `bytes=${at}-${at}`]] as const
  const bytes = write({ line: `GET ${image} HTTP/1.1`, headers }, drawing)
  return { method: 'GET', bytes, expected: new RegExp(`^206 bytes ${at}-${at}/5000$`) }
}
