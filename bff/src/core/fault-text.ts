/** What viem throws: its own message holds the node's address, and that often holds a key. */
type NodeError = Error & { shortMessage: string; details?: unknown }

const isNodeError = (error: unknown): error is NodeError =>
  error instanceof Error && 'shortMessage' in error && typeof error.shortMessage === 'string'

/** An error in one line for a log, without the address of a node. */
export function faultText(error: unknown): string {
  if (isNodeError(error)) return [error.shortMessage, error.details].filter(Boolean).join(' ')
  return error instanceof Error ? error.message : String(error)
}

/** Errors are logged whole, for their stack; those that hold a node's address as one line. `whole` is the log's own way. */
export function loggedError<T>(error: Error, whole: (error: Error) => T): T | { type: string; message: string } {
  const isOfNode = (one: unknown): boolean =>
    isNodeError(one) || (one instanceof Error && one.cause !== undefined && isOfNode(one.cause))
  if (!isOfNode(error)) return whole(error)
  return { type: error.name, message: faultText(error) }
}
