import { BaseError } from 'viem'

/** An error in one line for a log. viem's own message holds the node's address, and that often holds a key. */
export function faultText(error: unknown): string {
  if (error instanceof BaseError) return [error.shortMessage, error.details].filter(Boolean).join(' ')
  return error instanceof Error ? error.message : String(error)
}

/** Errors are logged whole, for their stack; those that hold a node's address as one line. `whole` is the log's own way. */
export function loggedError<T>(error: Error, whole: (error: Error) => T): T | { type: string; message: string } {
  const isOfNode = (one: unknown): boolean =>
    one instanceof BaseError || (one instanceof Error && one.cause !== undefined && isOfNode(one.cause))
  if (!isOfNode(error)) return whole(error)
  return { type: error.name, message: faultText(error) }
}
