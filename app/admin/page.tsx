import { redirect } from 'next/navigation'
import { requireAdmin } from '#app/viewer.ts'

/** The first of the pages of administration, for whoever types `/admin`. */
export default async function Page() {
  await requireAdmin('/admin')
  redirect('/admin/users')
}
