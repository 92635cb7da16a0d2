import { createServer } from 'node:http'
import { SignClient } from '@walletconnect/sign-client'
import type { Page } from 'playwright-core'
import { createWalletClient, type Hex, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { WebSocketServer } from 'ws'
import type { DevnetFacts } from './global-setup.ts'
import { listen } from './listen.ts'

type Request = { id: number; method?: string; params?: Record<string, unknown> }
type Message = { topic: string; message: string; from: Client }
/** One end of the relay: a page, or a wallet. */
type Client = { send(text: string): void; topics: Set<string>; seen: Set<Message> }

/** Messages kept for later subscribers. */
const messagesMax = 1_000

/**
 * A WalletConnect relay: passes sealed messages between both ends, and keeps them for an end that subscribes later.
 * @see https://specs.walletconnect.com/2.0/specs/servers/relay/relay-server-rpc
 */
export async function openRelayServer() {
  const messages: Message[] = []
  const clients = new Set<Client>()
  let subscriptions = 0

  function deliver(client: Client): void {
    for (const one of messages) {
      if (one.from === client || client.seen.has(one) || !client.topics.has(one.topic)) continue
      client.seen.add(one)
      const data = { topic: one.topic, message: one.message, publishedAt: Date.now(), tag: 0 }
      const params = { id: one.topic, data }
      client.send(
        JSON.stringify({ id: Date.now() * 1000 + ++subscriptions, jsonrpc: '2.0', method: 'irn_subscription', params }),
      )
    }
  }

  function publish(from: Client, topic: unknown, message: unknown): void {
    messages.push({ topic: String(topic), message: String(message), from })
    messages.splice(0, messages.length - messagesMax)
    for (const client of clients) deliver(client)
  }

  function subscribe(client: Client, topics: readonly unknown[]): string[] {
    for (const topic of topics) client.topics.add(String(topic))
    setImmediate(() => deliver(client))
    return topics.map(String)
  }

  function answer(client: Client, method: string, params: Record<string, unknown>): unknown {
    switch (method) {
      case 'irn_publish':
        publish(client, params['topic'], params['message'])
        return true
      case 'irn_subscribe':
        return subscribe(client, [params['topic']])[0]
      case 'irn_batchSubscribe':
        return subscribe(client, params['topics'] as unknown[])
      case 'irn_unsubscribe':
        return client.topics.delete(String(params['topic']))
      case 'irn_batchFetchMessages':
        return { messages: [], hasMore: false }
      case 'wc_proposeSession':
        subscribe(client, [params['pairingTopic']])
        publish(client, params['pairingTopic'], params['sessionProposal'])
        return true
      case 'wc_approveSession':
        subscribe(client, [params['sessionTopic']])
        publish(client, params['pairingTopic'], params['sessionProposalResponse'])
        publish(client, params['sessionTopic'], params['sessionSettlementRequest'])
        return true
      default:
        throw new Error(`The relay does not know ${method}`)
    }
  }

  /** @returns functions that handle this end's messages, and that detach it. */
  function attach(send: (text: string) => void) {
    const client: Client = { send, topics: new Set(), seen: new Set() }
    clients.add(client)
    return {
      hear(text: string): void {
        const { id, method, params = {} } = JSON.parse(text) as Request
        // A message's acknowledgement.
        if (method === undefined) return
        send(JSON.stringify({ id, jsonrpc: '2.0', result: answer(client, method, params) }))
      },
      leave: () => void clients.delete(client),
    }
  }

  const http = createServer()
  const server = new WebSocketServer({ server: http })
  server.on('connection', (socket) => {
    const end = attach((text) => socket.send(text))
    socket.on('message', (data) => end.hear(String(data)))
    socket.on('close', end.leave)
  })
  const { origin, close } = await listen(http)

  return {
    url: origin.replace('http', 'ws'),
    /** Redirects the page's connection to WalletConnect's relay to this one. */
    async takeOver(page: Page): Promise<void> {
      await page.routeWebSocket(/relay\.walletconnect\./, (socket) => {
        const end = attach((text) => socket.send(text))
        socket.onMessage((data) => end.hear(String(data)))
        socket.onClose(end.leave)
      })
    },
    async close(): Promise<void> {
      for (const socket of server.clients) socket.terminate()
      await close()
    },
  }
}

type Network = DevnetFacts['networks'][number]

/** A phone wallet with WalletConnect's own client: approves everything, and records the requests. */
export async function openPhoneWallet(relayUrl: string, privateKey: Hex, { chainId, rpcUrl, name }: Network) {
  const account = privateKeyToAccount(privateKey)
  const nativeCurrency = { name: 'Test ether', symbol: 'ETH', decimals: 18 }
  const chain = { id: chainId, name, nativeCurrency, rpcUrls: { default: { http: [rpcUrl] } } }
  const sender = createWalletClient({ account, chain, transport: http(rpcUrl) })
  const asked: { method: string; params: unknown }[] = []
  const proposals: { name: string; methods: string[] }[] = []
  const client = await SignClient.init({
    projectId: '0'.repeat(32),
    relayUrl,
    telemetryEnabled: false,
    logger: 'silent',
    storageOptions: { database: ':memory:' },
    metadata: { name: 'Phone wallet', description: '', url: 'https://wallet.example', icons: [] },
  })

  async function perform(method: string, params: unknown): Promise<unknown> {
    const [first, second] = params as [unknown, unknown]
    switch (method) {
      case 'eth_sendTransaction': {
        const { to, data } = first as { to: Hex; data: Hex }
        return await sender.sendTransaction({ to, data })
      }
      case 'eth_signTypedData_v4':
        return await account.signTypedData(JSON.parse(String(second)))
      default:
        throw new Error(`The wallet does not know ${method}`)
    }
  }

  client.on('session_proposal', ({ id, params }) => {
    const { optionalNamespaces, proposer } = params
    const { methods = [], events = [] } = optionalNamespaces['eip155'] ?? {}
    proposals.push({ name: proposer.metadata.name, methods })
    const accounts = [`eip155:${chainId}:${account.address}`]
    const namespaces = { eip155: { chains: [`eip155:${chainId}`], methods, events, accounts } }
    void client.approve({ id, namespaces })
  })
  client.on('session_request', ({ topic, id, params }) => {
    const { method, params: given } = params.request
    asked.push({ method, params: given })
    void perform(method, given).then(
      (result) => client.respond({ topic, response: { id, jsonrpc: '2.0', result } }),
      (error: Error) =>
        client.respond({ topic, response: { id, jsonrpc: '2.0', error: { code: -32601, message: error.message } } }),
    )
  })

  return {
    asked,
    proposals,
    /** The customer scans the code with the phone. */
    scan: (uri: string) => client.pair({ uri }),
    close: () => client.core.relayer.transportClose(),
  }
}
