export class ResponseTooLargeError extends Error {}

/**
 * The body of a response as text.
 * @throws {ResponseTooLargeError} when the body has more than `maxBytes`.
 */
export async function readBounded(response: Response, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    // Leaving the loop closes the connection.
    if (bytes > maxBytes) throw new ResponseTooLargeError(`The response is larger than ${maxBytes} bytes.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
