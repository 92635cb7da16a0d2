import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Merchants' servers, in a process of their own: `node sink.ts <how many answer> <how many hang>`. Sends their ports. */
const [answering = 0, hanging = 0] = process.argv.slice(2).map(Number)

async function open(isHanging: boolean): Promise<number> {
  const server = createServer((request, response) => {
    request.resume()
    if (!isHanging) request.on('end', () => response.writeHead(204).end())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

const openAll = (count: number, isHanging: boolean) => Promise.all(Array.from({ length: count }, () => open(isHanging)))
const ports = { answering: await openAll(answering, false), hanging: await openAll(hanging, true) }
process.send?.(ports)
