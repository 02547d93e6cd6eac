// The package has no types. These cover what testing/servers/s3-server.ts uses.
declare module '@20minutes/s3rver' {
  import type { RequestListener } from 'node:http'
  import type { Readable } from 'node:stream'

  interface StoredObject {
    content: Readable
    range?: { start: number; end: number }
  }

  export default class S3rver {
    constructor(options: {
      readonly directory: string
      readonly silent: boolean
      readonly vhostBuckets: boolean
      readonly serviceEndpoint: string
      readonly configureBuckets: readonly { readonly name: string }[]
    })
    readonly store: {
      getObject(bucket: string, key: string, range?: { start?: number; end?: number }): Promise<StoredObject | null>
    }
    configureBuckets(): Promise<void>
    callback(): RequestListener
  }
}

declare module '@20minutes/s3rver/lib/signature/v4.js' {
  const v4: {
    getStringToSign(canonicalRequest: { readonly uri: string }, request: object): string
  }
  export default v4
}
