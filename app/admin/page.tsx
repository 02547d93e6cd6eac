import { redirect } from 'next/navigation'
import { requireAdmin } from '#app/viewer.ts'

/** Redirects to the first admin page. */
export default async function Page() {
  await requireAdmin('/admin')
  redirect('/admin/users')
}
