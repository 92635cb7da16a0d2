import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type Call = { id: number; method: string; params: unknown[] }
/** Receives the true response; returns, or resolves to, the replacement. */
type Lie = (truth: unknown, params: unknown[]) => unknown

export type LyingNode = Awaited<ReturnType<typeof openLyingNode>>

type Answer = (request: IncomingMessage, response: ServerResponse) => Promise<unknown>

/**
 * A server that closes the connection if responding fails: at a test's end, the client or the node behind the server may be gone.
 */
export const createClosingServer = (answer: Answer) =>
  createServer((request, response) => void answer(request, response).catch(() => response.destroy()))

/** A node in front of a true one, whose responses a test can replace. For tests. */
export async function openLyingNode(rpcUrl: string) {
  const lies = new Map<string, Lie>()
  const heard: string[] = []
  let status = 200
  let hear: () => Promise<void> = async () => undefined
  const server = createClosingServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const call = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Call
    heard.push(call.method)
    await hear()
    const lie = lies.get(call.method)
    if (status !== 200) {
      response.writeHead(status, { 'Content-Type': 'text/html', 'Retry-After': '0' }).end('<html>busy</html>')
      return
    }
    const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(call) }
    const answer = (await (await fetch(rpcUrl, init)).json()) as { result?: unknown; error?: unknown }
    if (lie) Object.assign(answer, { result: await lie(answer.result, call.params), error: undefined })
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    /** Methods of received calls, in order. */
    heard,
    lie: (method: string, lie: Lie) => void lies.set(method, lie),
    /** Called before each response, which is delayed until it resolves. */
    listen(before: () => Promise<void>) {
      hear = before
    },
    /** Responds truthfully again. */
    mend() {
      lies.clear()
      status = 200
    },
    /** Responds to everything with this HTTP status and a page, and asks for an immediate retry. */
    fail(code: number) {
      status = code
    },
    async close(): Promise<void> {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}
