import type { OpenAPIHono } from '@hono/zod-openapi'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import type { Context } from 'hono'
import { type Env, requestInfo } from '../../access/context/env.ts'
import { defineOperation } from '../../access/context/operation.ts'
import { limitedJson, verifyDepth } from '../../access/http/body-limit.ts'
import type { Operations } from '../../access/operation/operation-registry.ts'
import { PaymentError } from '../../core/errors.ts'
import type { Log } from '../../core/log.ts'
import { createMcpServer } from './mcp-server.ts'
import type { Tool } from './tools.ts'

type Deps = {
  tools: Readonly<Record<string, Tool>>
  log: Log
  /** The service's public URL; null: only pages of this machine's own `localhost` may call. */
  publicUrl: string | null
}

/**
 * Refuses browser requests from pages of other origins, including pages whose host name was rebound to this machine.
 * @see https://modelcontextprotocol.io/specification/2025-06-18/basic/transports#security-warning
 * @throws {PaymentError}
 */
function verifyOwnOrigin(c: Context<Env>, publicUrl: string | null): void {
  const from = c.req.header('origin')
  const host = c.req.header('host') ?? ''
  const isLocal = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(host)
  const own = publicUrl === null ? isLocal && `http://${host}` : new URL(publicUrl).origin
  if (from === undefined || from === own) return
  const message = 'Only programs and this service’s pages may call tools; this request comes from another page.'
  throw new PaymentError('CROSS_ORIGIN', message)
}

/** The protocol documents itself. An agent's key has fewer tools: `agent/mcp/tools.ts`. */
const callRoute = defineOperation({
  method: 'post',
  path: '/mcp',
  access: 'secret',
  secretFor: 'Tools are',
  role: 'none',
  scope: 'agent',
  hide: true,
  operationId: 'callTool',
  responses: {},
})

const badRequest = -32_600

const refuse = (c: Context<Env>, status: 400 | 405, message: string) =>
  c.json({ jsonrpc: '2.0' as const, error: { code: badRequest, message }, id: null }, status)

/**
 * `/mcp`: the tools over streamable HTTP (Model Context Protocol), for API key and secret. One message per request, so that the rate limits
 * count each call.
 */
export function mcpRoutes(app: OpenAPIHono<Env>, api: Operations, deps: Deps) {
  app.use('/mcp', async (c, next) => {
    verifyOwnOrigin(c, deps.publicUrl)
    await next()
  })

  api.serveUnvalidated(callRoute, async (c) => {
    const message = await limitedJson(c)
    if (Array.isArray(message)) return refuse(c, 400, 'Send one message per request, not a batch.')
    verifyDepth(message)
    const server = createMcpServer(deps, { caller: c.get('caller'), request: requestInfo(c) })
    const transport = new WebStandardStreamableHTTPServerTransport({})
    const request = c.req.raw
    // The client has disconnected.
    request.signal.addEventListener('abort', () => void server.close())
    await server.connect(transport)
    return await transport.handleRequest(request, { parsedBody: message })
  })

  app.on(['GET', 'DELETE'], '/mcp', (c) => {
    c.header('Allow', 'POST')
    return refuse(c, 405, 'This server has no sessions. Send each message by POST.')
  })
}
