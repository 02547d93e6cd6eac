import { router } from '#server/trpc/init.ts'
import { createProvider } from './create-provider.ts'
import { deleteProvider } from './delete-provider.ts'
import { listProviders } from './list-providers.ts'
import { orderProviders } from './order-providers.ts'
import { testProvider } from './test-provider.ts'
import { updateProvider } from './update-provider.ts'

export const providerRouter = router({
  list: listProviders,
  test: testProvider,
  create: createProvider,
  update: updateProvider,
  delete: deleteProvider,
  order: orderProviders,
})
