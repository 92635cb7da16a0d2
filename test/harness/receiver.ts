import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Webhook } from 'standardwebhooks'
import { listen } from './listen.ts'

/** A received delivery attempt with a valid signature. */
type Try = {
  /** `webhook-id`: the same for every attempt of an event. */
  id: string
  type: string
  paymentId: string
  sequence: number
  /** Unix seconds, as signed. */
  sentAtSeconds: number
  receivedAtMs: number
  /** The payment in the event. */
  data: Record<string, unknown>
  /** The response; `silent`: none, and the connection stays open. */
  answer: number | 'silent'
}

/** How the merchant's server responds. */
type Mood = (event: Omit<Try, 'answer'>) => number | 'silent'

const willing: Mood = () => 200

export type Receiver = {
  readonly url: string
  /** Attempts in order of arrival, including rejected ones. */
  tries(paymentId: string): Try[]
  /** The accepted events, each once, in order of first arrival. */
  events(paymentId: string): Try[]
  /** Their types. */
  types(paymentId: string): string[]
  /** Responds according to `mood` from now on; 200 by default. */
  answer(mood?: Mood): void
  /** Closes the connection of the next request, before its body is read. */
  dropNextRequest(): void
  /** Why requests without a valid signature were rejected. */
  readonly refusals: readonly string[]
  close(): Promise<void>
}

/** A merchant's server, which verifies every signature with the library that the docs name. */
export async function openReceiver(secret: () => string): Promise<Receiver> {
  const all: Try[] = []
  const refusals: string[] = []
  let mood = willing
  let dropsNext = false

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request)
    const header = (name: string) => String(request.headers[name] ?? '')
    const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature']
    let event: { type: string; data: Record<string, unknown> }
    try {
      const headers = Object.fromEntries(names.map((name) => [name, header(name)]))
      event = new Webhook(secret()).verify(body, headers) as typeof event
    } catch (error) {
      refusals.push(`${header('webhook-id')}: ${String(error)}`)
      response.writeHead(401).end()
      return
    }
    const { type, data } = event
    const seen = {
      id: header('webhook-id'),
      type,
      data,
      paymentId: String(data['id']),
      sequence: Number(data['sequence']),
      sentAtSeconds: Number(header('webhook-timestamp')),
      receivedAtMs: Date.now(),
    }
    const answer = mood(seen)
    all.push({ ...seen, answer })
    if (answer !== 'silent') response.writeHead(answer).end()
  }

  const server = createServer((request, response) => {
    if (dropsNext) {
      dropsNext = false
      request.socket.destroy()
    } else receive(request, response).catch(() => response.destroy())
  })
  const { origin, close } = await listen(server)

  const events = (paymentId: string) => {
    const first = new Map<string, Try>()
    for (const one of all) {
      if (one.paymentId === paymentId && one.answer === 200 && !first.has(one.id)) first.set(one.id, one)
    }
    return [...first.values()]
  }
  return {
    url: `${origin}/webhooks`,
    tries: (paymentId) => all.filter((one) => one.paymentId === paymentId),
    events,
    types: (paymentId) => events(paymentId).map(({ type }) => type),
    answer(next = willing) {
      mood = next
    },
    dropNextRequest() {
      dropsNext = true
    },
    refusals,
    close,
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}
