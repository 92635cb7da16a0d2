import { createServer } from 'node:http'
import { afterAll } from 'vitest'
import { listen } from './listen.ts'

type File = { body: string | Buffer; type?: string; headers?: Record<string, string> }

/** A website with a few files; `/` is an HTML page by default. Ends with the story file. */
export async function openPages(files: ReadonlyMap<string, File>): Promise<string> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://site.example')
    const file = files.get(pathname)
    const type = file?.type ?? (/\.m?js$/.test(pathname) ? 'text/javascript' : 'text/html; charset=utf-8')
    response.writeHead(file ? 200 : 404, { 'Content-Type': type, ...file?.headers }).end(file?.body ?? 'not found')
  })
  const { origin, close } = await listen(server)
  afterAll(close)
  return origin
}

/** An HTML page that loads nothing else. */
export const pageOf = (head: string, body: string) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>shop</title><link rel="icon" href="data:,">${head}</head><body>${body}</body></html>`
