import { createServer } from 'node:http'

/**
 * A node of Solana on which every token account that is asked for exists and is empty, because a validator cannot be had here.
 * Its answers are made before they are asked for, so that its own time stays small.
 */
const accountBytes = 165

const account = (() => {
  const data = Buffer.alloc(accountBytes)
  data.writeUInt8(1, 108)
  const owner = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
  return JSON.stringify({ data: [data.toString('base64'), 'base64'], owner, lamports: 2_039_280, executable: false })
})()

const time = Math.floor(Date.now() / 1000)
let slot = 1_000
let calls = 0

function answer(method: string, params: unknown[]): string {
  switch (method) {
    case 'getGenesisHash':
      return '"11111111111111111111111111111111"'
    case 'getSlot':
      slot += 1
      return String(slot)
    case 'getBlockTime':
      return String(time)
    case 'getSignaturesForAddress':
      return '[]'
    case 'getSignatureStatuses':
      return `{"context":{"slot":${slot}},"value":[]}`
    case 'getMultipleAccounts': {
      const [addresses] = params as [string[]]
      return `{"context":{"slot":${slot}},"value":[${addresses.map(() => account).join(',')}]}`
    }
    default:
      throw new Error(`${method} is not asked while nothing happens`)
  }
}

const server = createServer((request, response) => {
  let text = ''
  request.on('data', (chunk) => {
    text += chunk
  })
  request.on('end', () => {
    const { id, method, params } = JSON.parse(text) as { id: number; method: string; params: unknown[] }
    calls += 1
    response.setHeader('Content-Type', 'application/json')
    response.end(`{"jsonrpc":"2.0","id":${id},"result":${answer(method, params)}}`)
  })
})
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as { port: number }).port }))
process.on('message', () => process.send?.({ calls }))
