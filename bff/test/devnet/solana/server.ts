import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { host } from '../../processes/ports.ts'
import { createSolanaNode, type NodeOptions } from './node.ts'

/** Far above a batch of a hundred transactions. */
const bodyBytesMax = 1_000_000

export type SolanaServer = { rpcUrl: string; stop(): Promise<void> }

/**
 * A node behind HTTP, in this process.
 * @param port - 0: any free port.
 */
export async function serveSolana(options: NodeOptions, port = 0): Promise<SolanaServer> {
  const node = createSolanaNode(options)
  const server = createServer((request, response) => {
    reply(request, response).catch(() => response.destroy())
  })
  // If Node closed connections after five idle seconds, a request sent at that moment would fail.
  server.keepAliveTimeout = 0

  async function reply(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // A browser wallet may call the node directly.
    const headers = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' }
    if (request.method !== 'POST') {
      response.writeHead(request.method === 'OPTIONS' ? 204 : 405, headers).end()
      return
    }
    const body = await bodyOf(request)
    if (body === null) {
      response.writeHead(413, headers).end()
      return
    }
    const text = JSON.stringify(node.answer(parse(body)))
    response.writeHead(200, { ...headers, 'content-type': 'application/json' }).end(text)
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => resolve())
  })
  const address = server.address()
  const chosen = typeof address === 'object' && address !== null ? address.port : port
  return {
    rpcUrl: `http://${host}:${chosen}`,
    async stop() {
      node.stop()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function bodyOf(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > bodyBytesMax) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
