'use client'

import { useState } from 'react'
import { FormFailure } from '#app/limits/form-failure.tsx'
import { CallFailed } from './failure.ts'
import type { LastPost } from './failure-cookie.ts'

/** Why the last post or sign-in failed, on a page without a form that shows it. */
export function LastFailure({ last }: { last: LastPost }) {
  const [error] = useState(() => new CallFailed(last.failure))
  return <FormFailure error={error} />
}
