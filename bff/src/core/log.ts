/** The part of pino's interface that this service uses. Never log a secret, a private key or a customer's e-mail address. */
export type Log = {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** A logger that discards everything, for code that reports through its return value. */
export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} }
