import { EventEmitter, once } from 'node:events'
import { connect } from 'node:net'
import { openApp } from '@stablecoin-checkout/rig/test-app'
import { expect, test } from 'vitest'
import { listenOn } from '../http/listen.ts'

const requests = 40

test.each([
  ['the OpenAPI document', '/api/openapi.json'],
  ['the pages of the reference, whatever host each names', '/docs/dashboard'],
])('however many do not read %s, its bytes are in memory once', async (_, path) => {
  const bff = await openApp()
  const gate = new EventEmitter()
  const all = once(gate, 'served')
  let served = 0
  const answer = async (request: Request) => {
    const response = await bff.app.fetch(request)
    served += 1
    if (served === requests) gate.emit('served')
    return response
  }
  const { port, close } = await listenOn(answer, { host: '127.0.0.1', port: 0 })
  const { byteLength } = await (await bff.fetch(path)).arrayBuffer()
  const before = process.memoryUsage().arrayBuffers
  const socket = connect(port, '127.0.0.1').pause()
  for (let nth = 0; nth < requests; nth++) socket.write(`GET ${path} HTTP/1.1\r\nHost: ${nth}.example\r\n\r\n`)
  await all
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan((requests / 4) * byteLength)
  socket.destroy()
  await close()
  await bff.close()
})
