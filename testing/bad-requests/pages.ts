import { type BadRequest, type Drawing, junk, write } from './bad-request.ts'

type Field = readonly [string, string]

const PATHS = [
  ...[
    '/',
    '/signin',
    '/signup',
    '/upload',
    '/account',
    '/albums',
    '/shares',
    '/tags',
    '/trash',
    '/admin',
    '/admin/site',
  ],
  ...[
    '/image/x',
    '/a/x',
    '/u/x',
    '/s/x',
    '/s/x/report',
    '/report',
    '/delete/x',
    '/delete/done',
    '/password/x',
    '/setup',
  ],
  ...['/nowhere', '/_next/data/x.json', '/_next/image?url=x', '/api/auth/session', '/_global-error'],
] as const

/** A router state that Next accepts: the segments of a page and what is to be rendered of it. */
const state = (...segments: readonly string[]): string =>
  JSON.stringify(
    segments.reduceRight<unknown>((children, segment) => [segment, children === null ? {} : { children }], null),
  )

/** A page, or a part of one as the router of Next asks for it, with valid and malformed headers of Next's own. */
export function drawPage(drawing: Omit<Drawing, 'scene'>): BadRequest {
  const { random } = drawing
  const states: readonly [string, ...string[]] = [
    state('', '__PAGE__'),
    state('', 'image', '__PAGE__'),
    '["",{},null,"refetch"]',
    '[',
    'null',
    '["",{"children":1}]',
  ]
  const deep = `${'["",{"children":'.repeat(200)}["",{}]${'}]'.repeat(200)}`
  const fields: readonly [() => Field, ...(() => Field)[]] = [
    () => ['RSC', random.pick(['0', junk(random)])],
    () => [
      'Next-Router-State-Tree',
      random.pick([
        encodeURIComponent(random.pick(states)),
        random.pick(states),
        encodeURIComponent(deep),
        junk(random),
      ]),
    ],
    () => ['Next-Router-Prefetch', random.pick(['1', '2', junk(random)])],
    () => ['Next-Router-Segment-Prefetch', random.pick(['/_tree', '/_index', '/__PAGE__', '/../x', junk(random)])],
    () => ['Next-Action', random.pick(['x', '0'.repeat(42), junk(random)])],
    () => ['Next-Url', random.pick(['/', '/admin', '//evil.example', junk(random)])],
    () => ['Next-HMR-Refresh', '1'],
    () => ['Next-Request-Id', junk(random)],
    () => [random.pick(['x-middleware-subrequest', 'x-nextjs-data', 'x-matched-path', 'x-invoke-path']), junk(random)],
    () => [
      random.pick(['Accept', 'Accept-Language']),
      random.pick(['text/html', 'text/x-component', 'zh-CN', junk(random)]),
    ],
    () => [
      'Cookie',
      random.pick([`next-auth.session-token=${junk(random)}`, `sluice.visit=${junk(random)}`, junk(random)]),
    ],
  ]
  const chosen = Array.from({ length: random.below(6) }, () => random.pick(fields)())
  const method = random.pick(['GET', 'GET', 'GET', 'GET', 'HEAD', 'POST'])
  const query = random.pick([
    '',
    '',
    `?_rsc=${random.below(1_000)}`,
    `?from=${junk(random)}&at=1e309`,
    `?${junk(random)}`,
  ])
  const body = method === 'POST' ? random.pick(['', '0', '["$K1"]', junk(random)]) : ''
  const headers: readonly Field[] = [
    ...(random.below(3) ? [['RSC', '1'] as const] : []),
    ...chosen,
    ...(method === 'POST' ? [['Content-Length', String(Buffer.byteLength(body))] as const] : []),
  ]
  const path = random.pick(PATHS)
  const bytes = write(
    { line: `${method} ${encodeURI(`${path}${query}`.toWellFormed())} HTTP/1.1`, headers, body },
    drawing,
  )
  return { class: 'pages', bytes, methods: [method, 'GET'], role: 'guest' }
}

/** Returns the request for the address that Next gives a part of a page; null if `location` is another one. */
export function followPart({ bytes, ...request }: BadRequest, location: string | undefined): BadRequest | null {
  if (!location?.includes('_rsc=')) return null
  const { pathname, search } = new URL(location, 'http://x')
  const at = bytes.indexOf('\r\n')
  const [method] = request.methods
  return {
    ...request,
    bytes: Buffer.concat([Buffer.from(`${method} ${pathname}${search} HTTP/1.1`), bytes.subarray(at)]),
  }
}
