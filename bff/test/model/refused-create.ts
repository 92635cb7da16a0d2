/** Why the service may refuse a create of the model while a node is down or lies. */
const codes = new Set<unknown>([])

/** Fails the life whose create was refused for another reason. */
export function verifyRefusal(status: number, body: unknown): void {
  const { code, message } = body as { code?: unknown; message?: unknown }
  if (!codes.has(code)) throw new Error(`A create was refused by ${status} ${code}: ${message}`)
}
