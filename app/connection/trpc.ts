'use client'

import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server'
import { createTRPCContext } from '@trpc/tanstack-react-query'
import type { AppRouter } from '#server/trpc/router.ts'

export const { TRPCProvider, useTRPC, useTRPCClient } = createTRPCContext<AppRouter>()

export type Inputs = inferRouterInputs<AppRouter>
export type Outputs = inferRouterOutputs<AppRouter>

export type ImageItem = Outputs['image']['get']
export type AlbumItem = Outputs['album']['get']
export type UserItem = Outputs['user']['list']['items'][number]
export type Visibility = ImageItem['visibility']
