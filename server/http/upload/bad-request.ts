/** What is wrong with a request, before or while its files are looked for. */
const problems = {
  'bad-base64': { status: 400, message: 'The file is neither the bytes of an image nor base64.' },
  'bad-form': { status: 400, message: 'The form cannot be read: it does not keep to its own format.' },
  'bad-json': { status: 400, message: 'The body is no JSON object.' },
  incomplete: { status: 400, message: 'The request ended before it was complete.' },
  'no-boundary': { status: 400, message: 'The Content-Type of a multipart form must name its boundary.' },
  'no-file': {
    status: 400,
    message: 'There is no file in the request: send one in the form field "file", "image" or "source", or as the body.',
  },
  'no-token': { status: 401, message: 'Send a token of yours in a header: Authorization: Bearer slu_…' },
  'no-url': { status: 400, message: 'Images are not fetched from addresses: send the file itself.' },
  'request-too-large': {
    status: 413,
    message: 'The request is larger than this site takes: send the files one by one.',
  },
  'too-many-fields': { status: 413, message: 'A request may hold 100 fields and files.' },
  'too-many-files': { status: 413, message: 'A request may hold 20 files: send the others in another one.' },
  'unsupported-content-type': {
    status: 415,
    message:
      'Send the file as multipart/form-data, as application/octet-stream or an image’s own type, or in base64 as JSON or a form.',
  },
} as const satisfies Record<string, { readonly status: number; readonly message: string }>

type Problem = keyof typeof problems

/** A request that no client should send. `problem` is told to it as it stands, unless more can be said. */
export class BadRequest extends Error {
  override name = 'BadRequest'
  readonly problem: Problem
  readonly status: number

  constructor(problem: Problem, message: string = problems[problem].message) {
    super(message)
    this.problem = problem
    this.status = problems[problem].status
  }
}
