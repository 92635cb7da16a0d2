import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { host } from '../../processes/ports.ts'
import { createTronRpc, TronRpcError } from './json-rpc.ts'
import { createTronView, honest, type TronSwitches } from './tron-view.ts'
import { createWalletApi } from './wallet-api.ts'

/** Far above a query of a thousand topics. */
const bodyBytesMax = 1_000_000

export type TronNode = {
  /** URL of its JSON-RPC. */
  rpcUrl: string
  /** Base URL of its HTTP interface. */
  url: string
  switches: TronSwitches
  stop(): Promise<void>
}

/**
 * An in-process Tron node in front of an anvil.
 * @param port - 0: any free port.
 */
export async function serveTron(anvilUrl: string, chainId: number, port = 0): Promise<TronNode> {
  const switches = honest()
  const view = createTronView(anvilUrl, switches, chainId)
  const answerRpc = createTronRpc(view, chainId)
  const answerWallet = createWalletApi(view)

  async function reply(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (switches.isDown) return void response.destroy()
    const headers = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' }
    if (request.method === 'OPTIONS') return void response.writeHead(204, headers).end()
    const url = new URL(request.url ?? '/', 'http://node')
    const body = await bodyOf(request, url)
    const answer = url.pathname === '/jsonrpc' ? await rpc(body) : await answerWallet(url.pathname, body)
    if (answer === undefined) return void response.writeHead(404, headers).end()
    response.writeHead(200, { ...headers, 'content-type': 'application/json' }).end(JSON.stringify(answer))
  }

  async function rpc(body: Record<string, unknown>): Promise<object> {
    const { id = null, method, params } = body
    try {
      const result = await answerRpc(String(method), Array.isArray(params) ? params : [])
      return { jsonrpc: '2.0', id, result }
    } catch (error) {
      const code = error instanceof TronRpcError ? error.code : -32000
      const message = error instanceof Error ? error.message : 'internal error'
      return { jsonrpc: '2.0', id, error: { code, message, data: '{}' } }
    }
  }

  const server = createServer((request, response) => {
    reply(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => resolve())
  })
  const url = `http://${host}:${(server.address() as AddressInfo).port}`
  return {
    rpcUrl: `${url}/jsonrpc`,
    url,
    switches,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** The body, or the query of a GET request. */
async function bodyOf(request: IncomingMessage, url: URL): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > bodyBytesMax) throw new Error('The body is too large')
    chunks.push(chunk)
  }
  const text = Buffer.concat(chunks).toString('utf8')
  const parsed: unknown = text === '' ? Object.fromEntries(url.searchParams) : JSON.parse(text)
  return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : {}
}
