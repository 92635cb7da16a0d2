import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { listen } from './listen.ts'
import { until } from './until.ts'

/** Where a held call stays: `before` it reaches the node, or `after` the node has executed it, with the response held back. */
type Held = 'before' | 'after'

/** The connection between the service and one node, which a story can hold. */
export type Gate = {
  readonly url: string
  /** Calls of this method get no response from now on. */
  hold(method: string, at: Held): void
  /** Waits until a call is held. */
  held(method: string): Promise<void>
  /** Lets everything through again. Held calls are lost, as on a cut connection. */
  release(): void
  close(): Promise<void>
}

/** Of a story that has not asked for gates: whatever it does with one is refused. */
export const noGate = new Proxy({} as Gate, {
  get() {
    throw new Error('The story has no gates: open it with `gated: true`.')
  },
})

export async function openGate(rpcUrl: string): Promise<Gate> {
  const holds = new Map<string, Held>()
  const waiting: { method: string; response: ServerResponse }[] = []

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    const { method } = JSON.parse(body.toString('utf8')) as { method: string }
    const at = holds.get(method)
    if (at === 'before') {
      waiting.push({ method, response })
      return
    }
    const answer = await fetch(rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    const text = await answer.text()
    if (at === 'after') waiting.push({ method, response })
    else response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text)
  }

  const server = createServer((request, response) => {
    pass(request, response).catch(() => response.destroy())
  })
  const { origin, close } = await listen(server)
  return {
    url: origin,
    hold: (method, at) => void holds.set(method, at),
    async held(method) {
      await until(`a held ${method}`, () => waiting.some((call) => call.method === method))
    },
    release() {
      holds.clear()
      for (const { response } of waiting.splice(0)) response.destroy()
    },
    close,
  }
}
