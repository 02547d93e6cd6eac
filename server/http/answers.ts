import type { ServerResponse } from 'node:http'

/** A short JSON answer that no cache keeps. */
export function writeJson(
  res: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  const own = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' }
  res.writeHead(status, { ...headers, ...own }).end(JSON.stringify(body))
}
