'use client'

import './styles.css'

/** Stands in when not even the frame of a page could be made, so it leans on nothing but the styles. */
export default function GlobalError({ error }: { error: Error & { digest?: string } }) {
  return (
    <html lang="en" data-theme="system">
      <body className="font-sans">
        <title>Something went wrong · Sluice</title>
        <main className="flex min-h-dvh flex-col items-center justify-center gap-5 px-6 text-center">
          <h1 className="text-2xl font-semibold tracking-[-0.02em]">Sluice cannot answer right now</h1>
          <p className="max-w-md text-ink-soft">
            The server met a fault while making this page.
            {error.digest && <code className="mt-3 block font-mono text-[0.8125rem]">error {error.digest}</code>}
          </p>
          <a href="/" className="rounded-md bg-ink px-4 py-2 font-medium text-ground">
            Try again
          </a>
        </main>
      </body>
    </html>
  )
}
