import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { openApp } from '@stablecoin-checkout/rig/test-app'
import { expect, test } from 'vitest'
import { listenOn } from '../http/listen.ts'

const requests = 100

/** How many bytes of memory the responses keep that nobody reads. */
async function keptBy(paths: readonly string[]): Promise<{ kept: number; each: number }> {
  const bff = await openApp()
  let each = 0
  let served = 0
  let all = () => {}
  const allServed = new Promise<void>((resolve) => (all = resolve))
  const { port, close } = await listenOn(
    async (request) => {
      const response = await bff.app.fetch(request)
      served += 1
      if (served === requests) all()
      return response
    },
    { host: '127.0.0.1', port: 0 },
  )
  for (const path of paths) each = Math.max(each, (await (await bff.fetch(path)).arrayBuffer()).byteLength)
  const before = process.memoryUsage()
  const sockets: Socket[] = []
  for (let nth = 0; nth < requests; nth++) {
    const socket = connect(port, '127.0.0.1').pause()
    await once(socket, 'connect')
    socket.write(`GET ${paths[nth % paths.length]} HTTP/1.1\r\nHost: ${nth}.example\r\n\r\n`.repeat(1))
    sockets.push(socket)
  }
  await allServed
  const after = process.memoryUsage()
  for (const socket of sockets) socket.destroy()
  await close()
  await bff.close()
  return { kept: after.rss - before.rss, each }
}

test.each([
  ['the OpenAPI document', ['/api/openapi.json']],
  ['the pages of the reference, whatever host each names', ['/docs/operate', '/docs/dashboard']],
])('however many do not read %s, its bytes are in memory once', async (_, paths) => {
  const { kept, each } = await keptBy(paths)
  console.log(kept, each)
  expect(kept).toBeLessThan((requests * each) / 4)
})
