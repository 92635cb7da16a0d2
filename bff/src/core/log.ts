/** The part of pino's interface that the workers use. Never a secret, a raw transaction's key or a customer's e-mail. */
export type Log = {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** For parts that report what happened by what they return. */
export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} }
