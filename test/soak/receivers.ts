import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Webhook } from 'standardwebhooks'
import { listen } from '../harness/listen.ts'

/** What the merchant's servers have accepted. */
export type Accepted = {
  /** By payment: the sequence of each event, in the order they first came. */
  sequences: Map<string, number[]>
  /** Milliseconds of `performance.now()`, by payment and type. */
  atMs: Map<string, number>
  /** Deliveries of an event that was accepted before. */
  repeats: number
  refusals: string[]
}

/** Servers of a merchant, of which the last one takes every request and never answers. */
export async function openReceivers(count: number, secret: () => string) {
  const accepted: Accepted = { sequences: new Map(), atMs: new Map(), repeats: 0, refusals: [] }
  const seen = new Set<string>()

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await textOf(request)
    const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const
    const headers = Object.fromEntries(names.map((name) => [name, String(request.headers[name] ?? '')]))
    try {
      const event = new Webhook(secret()).verify(body, headers) as { type: string; data: Record<string, unknown> }
      note(headers['webhook-id'] ?? '', event.type, String(event.data['id']), Number(event.data['sequence']))
      response.writeHead(200).end()
    } catch (error) {
      accepted.refusals.push(String(error))
      response.writeHead(401).end()
    }
  }

  function note(id: string, type: string, paymentId: string, sequence: number): void {
    if (seen.has(id)) {
      accepted.repeats += 1
      return
    }
    seen.add(id)
    const sequences = accepted.sequences.get(paymentId)
    if (sequences) sequences.push(sequence)
    else accepted.sequences.set(paymentId, [sequence])
    accepted.atMs.set(`${paymentId} ${type}`, performance.now())
  }

  const servers = await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const isHanging = index === count - 1
      return await listen(
        createServer((request, response) => {
          if (!isHanging) receive(request, response).catch(() => response.destroy())
        }),
      )
    }),
  )
  return {
    accepted,
    urls: servers.map(({ origin }) => `${origin}/webhooks`),
    close: async () => void (await Promise.all(servers.map(({ close }) => close()))),
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}
