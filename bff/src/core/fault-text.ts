/** An error of viem. Its message contains the node's URL, which often includes a key. */
type NodeError = Error & { shortMessage: string; details?: unknown }

const isNodeError = (error: unknown): error is NodeError =>
  error instanceof Error && 'shortMessage' in error && typeof error.shortMessage === 'string'

/** An error as one line for the log, without the URL of a node. */
export function faultText(error: unknown): string {
  if (isNodeError(error)) return [error.shortMessage, error.details].filter(Boolean).join(' ')
  return error instanceof Error ? error.message : String(error)
}

/**
 * Logs errors with their stack, except errors that contain a node's URL, which become one line. `whole` is
 * pino's serializer.
 */
export function loggedError<T>(error: Error, whole: (error: Error) => T): T | { type: string; message: string } {
  const isOfNode = (one: unknown): boolean =>
    isNodeError(one) || (one instanceof Error && one.cause !== undefined && isOfNode(one.cause))
  if (!isOfNode(error)) return whole(error)
  return { type: error.name, message: faultText(error) }
}
