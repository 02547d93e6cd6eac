import type { NextConfig } from 'next'

export default {
  reactStrictMode: true,
  poweredByHeader: false,
  devIndicators: false,
  // Pictures come from the byte route, which has its own sizes and its own limits.
  images: { unoptimized: true },
  // `npm run check` decides about types, over the tests and scripts too.
  typescript: { ignoreBuildErrors: true },
  // A page's head depends on the request, as all of the page does: streaming it behind the body gains nothing.
  htmlLimitedBots: /./,
  turbopack: {
    root: import.meta.dirname,
    // Pages get messages that are compiled, and format them without a parser.
    rules: { '**/messages/*/*.ts': { loaders: ['./messages/compile-loader.mjs'], as: '*.js' } },
    resolveAlias: {
      'use-intl/format-message': 'use-intl/format-message/format-only',
      // What every browser with `light-dark()` has, which all colours need.
      '../build/polyfills/polyfill-module': 'next/dist/compiled/server-only/empty',
    },
  },
  experimental: {
    // A click while the server is away waits for it, instead of ending in the browser's own error page.
    useOffline: true,
    // By default, parts of pages repeat up to 10 kB more of what other parts have, to save requests, and are split so finely that
    // pages load up to 5 kB and seven files more: small files are compressed worse.
    turbopackChunking: { requestCost: 20_000, minChunkSize: 200_000 },
  },
} satisfies NextConfig
