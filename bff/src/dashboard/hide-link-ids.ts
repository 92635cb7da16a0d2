/**
 * The id of a payment link is the address that customers open. Its first letters distinguish links without opening one. Matches
 * ids within other texts, such as a webhook's id.
 */
const linkIds = /pl_([\w-]{6})[\w-]{18}/g

/**
 * Shortens link ids in a response to a role that may not read payment links. Many responses contain them, including stored
 * webhooks, so whole bodies are searched. Streams contain only payments, and pass unchanged.
 */
export async function hideLinkIds(response: Response): Promise<Response> {
  const type = response.headers.get('Content-Type') ?? ''
  if (response.body === null || type.startsWith('text/event-stream')) return response
  const text = await response.text()
  const headers = new Headers(response.headers)
  headers.delete('Content-Length')
  return new Response(text.replaceAll(linkIds, 'pl_$1…'), { status: response.status, headers })
}
