import { EventEmitter, once } from 'node:events'
import { connect } from 'node:net'
import { OpenAPIHono } from '@hono/zod-openapi'
import { expect, test } from 'vitest'
import type { Env } from '../../access/context/env.ts'
import { compressedBody } from '../../access/http/compression.ts'
import { listenOn } from '../../access/http/listen.ts'
import { elementScriptRoutes } from './element-script.routes.ts'

test('however many do not read the script, its bytes are in memory once', async () => {
  const fileBytes = 8 * 1024 * 1024
  const name = 'stablecoin-checkout.js'
  const script = { name, hashedName: name, integrity: '', body: compressedBody(Buffer.alloc(fileBytes, ' ')) }
  const app = new OpenAPIHono<Env>()
  elementScriptRoutes(app, { element: null, files: [script], find: () => script })
  const requests = 20
  const gate = new EventEmitter()
  const all = once(gate, 'served')
  let served = 0
  const answer = async (request: Request) => {
    const response = await app.fetch(request)
    served += 1
    if (served === requests) gate.emit('served')
    return response
  }
  const { port, close } = await listenOn(answer, { host: '127.0.0.1', port: 0 })
  const before = process.memoryUsage().arrayBuffers
  const socket = connect(port, '127.0.0.1').pause()
  socket.write(`GET /${name} HTTP/1.1\r\nHost: service\r\n\r\n`.repeat(requests))
  await all
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(fileBytes)
  socket.destroy()
  await close()
})
