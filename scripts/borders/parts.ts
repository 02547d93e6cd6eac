import type { Group } from './group.ts'
import { areaTests, testTools } from './shared.ts'

/** Self-contained parts. */
export const parts: Group = {
  why: 'it stands by itself',
  tests: testTools,
  rooms: {
    format: { why: 'it depends on nothing, so that everything may import it' },
    messages: {
      folders: 'en zh-CN',
      imports: 'format package:icu-minify package:use-intl',
      why: 'the server, its pages and the command share it',
    },
    'server/limits': {
      folders:
        'algorithms fleet redis-tests rules stats stores stores/failover stores/memory stores/redis stores/refusals waiting',
      imports: 'format package:ioredis package:temporal-polyfill package:zod',
      why: 'the limiter imports no other area: it could be published as it is',
    },
    'server/database': {
      imports: `
        generated/prisma server/cannot-start.ts package:@electric-sql/pglite package:@prisma/adapter-pg
        package:@prisma/driver-adapter-utils package:@prisma/schema-engine-wasm package:pg
        package:pglite-prisma-adapter package:zod`,
      types: 'server/tracing/watch.ts',
    },
    'server/storage': {
      folders: 'cache',
      imports: 'server/cannot-start.ts server/storage/s3 package:lru-cache',
      types: 'server/tracing/watch.ts',
    },
    'server/storage/s3': {
      imports: `server/cannot-start.ts server/storage package:@aws-sdk/client-s3 package:p-limit package:zod`,
      tests: areaTests,
    },
    'server/cleaning': {
      folders: 'avif gif jpeg png webp',
      types: 'server/images/format.ts',
      tests: areaTests,
      why: 'it turns bytes into bytes, and knows nothing of images that are stored',
    },
    'server/metrics': {
      imports: 'server/reports/reasons.ts',
      tests: areaTests,
      why: 'it counts, and knows nothing of what is counted',
    },
    'server/turns': { imports: 'server/cidr.ts', tests: areaTests },
    'server/images/decoder': {
      folders: 'heic',
      imports: `server/cleaning server/images/brand.ts server/images/variant.ts server/turns package:libheif-js package:sharp
        package:thumbhash package:zod`,
      types: 'server/images/format.ts',
      tests: areaTests,
      why: 'it runs in child processes, which hold neither the database nor the store',
    },
  },
}
