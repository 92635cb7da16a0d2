import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'

const internalError = -32_603

/**
 * Forwards messages between an agent's client and the service, until the client closes its side. If a message does not reach
 * the service, the client gets the reason as the response.
 */
export async function passMessages(client: Transport, service: Transport): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    client.onclose = resolve
  })
  client.onmessage = (message) => {
    service.send(message).catch((error: unknown) => {
      if (!('method' in message && 'id' in message)) return
      const reason = error instanceof Error ? error.message : String(error)
      const text = `The service did not respond: ${reason}`
      void client.send({ jsonrpc: '2.0', id: message.id, error: { code: internalError, message: text } })
    })
  }
  service.onmessage = (message) => {
    noteVersion(message, service)
    void client.send(message)
  }

  await service.start()
  await client.start()
  await closed
  await service.close()
}

/** Later requests to the service name the protocol version that it agreed to. */
function noteVersion(message: JSONRPCMessage, service: Transport): void {
  if ('result' in message && typeof message.result['protocolVersion'] === 'string') {
    service.setProtocolVersion?.(message.result['protocolVersion'])
  }
}
