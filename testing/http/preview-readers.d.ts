// The parts that tests use of what programs read previews with (server/http/pages/previews.server.test.ts).
declare module 'open-graph-scraper' {
  export interface ReadGraph {
    readonly ogTitle?: string
    readonly ogDescription?: string
    readonly ogSiteName?: string
    readonly ogUrl?: string
    readonly ogImage?: readonly {
      readonly url: string
      readonly width?: string
      readonly height?: string
      readonly type?: string
    }[]
    readonly twitterCard?: string
    readonly twitterTitle?: string
    readonly twitterImage?: readonly { readonly url: string; readonly alt?: string }[]
  }
  export default function read(
    page: { readonly html: string; readonly onlyGetOpenGraphInfo?: boolean } | { readonly url: string },
  ): Promise<{ readonly result: ReadGraph }>
}

declare module 'unfurl.js' {
  export function unfurl(url: string): Promise<{
    readonly title?: string
    readonly description?: string
    readonly canonical_url?: string
    readonly open_graph?: {
      readonly title?: string
      readonly description?: string
      readonly site_name?: string
      readonly images?: readonly { readonly url: string; readonly width: number; readonly height: number }[]
    }
    readonly twitter_card?: { readonly card?: string; readonly title?: string }
    readonly oEmbed?: { readonly type: string; readonly title?: string; readonly url?: string }
  }>
}

declare module '@extractus/oembed-extractor' {
  export function extract(url: string, parameters?: Readonly<Record<string, string>>): Promise<object>
}
