import { createServer, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { createSendMail } from './smtp.ts'

test('a mail server that responds a byte at a time delays the next message no longer than the total time', async () => {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined).write('220 ')
    const drip = setInterval(() => socket.write('.'), 20)
    socket.on('close', () => {
      clearInterval(drip)
      sockets.delete(socket)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const settings = { host: '127.0.0.1', port, isTls: false, isLocal: true, login: null, from: 'shop@shop.example' }
  const mail = {
    ...{ to: 'ada@mail.example', fromName: 'Shop', subject: 'Receipt', text: 'Paid', html: '<p>Paid</p>' },
    ...{ messageId: '<1@shop.example>', stopUrl: null },
  }
  const startedAtMs = performance.now()
  expect(await createSendMail(settings, 500)(mail)).toMatchObject({ isSent: false, isFinal: false })
  expect(performance.now() - startedAtMs).toBeLessThan(5_000)
  await expect.poll(() => sockets.size).toBe(0)
  await new Promise((resolve) => server.close(resolve))
})
