/** The part of pino's interface that the workers use. Never a secret, a raw transaction's key or a customer's e-mail. */
export type Log = {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** A logger that discards everything, for code that reports through its return value. */
export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} }
