import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type Call = { id: number; method: string; params: unknown[] }
/** Given the true answer; returns, or resolves to, what is said instead. */
type Lie = (truth: unknown, params: unknown[]) => unknown

export type LyingNode = Awaited<ReturnType<typeof openLyingNode>>

type Answer = (request: IncomingMessage, response: ServerResponse) => Promise<unknown>

/** A server that closes the connection where its answer fails: at a test's end the client has left, or the node behind the server has. */
export const createClosingServer = (answer: Answer) =>
  createServer((request, response) => void answer(request, response).catch(() => response.destroy()))

/** A node in front of a true one, that says what it is told to. For tests. */
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
    /** Methods that it was asked, in order. */
    heard,
    lie: (method: string, lie: Lie) => void lies.set(method, lie),
    /** Called before each answer, which is as was said until it resolves. */
    listen(before: () => Promise<void>) {
      hear = before
    },
    /** Tells the truth again, and answers. */
    mend() {
      lies.clear()
      status = 200
    },
    /** Answers everything with this HTTP status and a page, and wants to be asked again at once. */
    fail(code: number) {
      status = code
    },
    async close(): Promise<void> {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}
