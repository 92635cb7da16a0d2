import type { Context, MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { PaymentError, ValidationError } from '../../core/errors.ts'
import type { Env } from '../context/env.ts'

/** Far more than any request of this API needs. */
const bodyMaxBytes = 64 * 1024

const compressed = (encoding: string) =>
  new PaymentError(
    'UNSUPPORTED_MEDIA_TYPE',
    `Send the body uncompressed, not with Content-Encoding: ${encoding.slice(0, 20)}.`,
  )

/**
 * Refuses compressed bodies, and bodies over 64 kB. Node reads no more than Content-Length, so checking the header suffices if it is sent. Only bodies
 * without it are counted, because counting costs a whole `Request` object (`npm run bench`).
 */
export function limitBody(): MiddlewareHandler<Env> {
  const refuse = () => {
    throw new PaymentError('BODY_TOO_LARGE', `The body must be at most ${bodyMaxBytes} bytes.`)
  }
  const counting = bodyLimit({ maxSize: bodyMaxBytes, onError: refuse })
  return (c, next) => {
    const encoding = c.req.header('content-encoding') ?? 'identity'
    if (encoding.toLowerCase() !== 'identity') throw compressed(encoding)
    const length = c.req.header('content-length')
    if (length !== undefined) return Number(length) > bodyMaxBytes ? refuse() : next()
    return c.req.header('transfer-encoding') === undefined ? next() : counting(c, next)
  }
}

/**
 * Waits for the body, before the caller is authenticated: a body may take a minute to arrive, and the key that sends it may be
 * revoked meanwhile.
 */
export function awaitBody(): MiddlewareHandler<Env> {
  return async (c, next) => {
    await c.req.text()
    await next()
  }
}

/** The body as JSON; undefined when it is not JSON. For routes that accept any body. */
export async function limitedJson(c: Context<Env>): Promise<unknown> {
  try {
    return JSON.parse(await c.req.text())
  } catch {
    return undefined
  }
}

/** Bodies of this API have a few levels. Recursive code overflows the stack at several thousand. */
const depthMax = 32

/** @throws {ValidationError} naming the field of the body that is nested too deeply. */
export function verifyDepth(body: unknown): void {
  for (const [name, value] of Object.entries(Object(body))) {
    if (!isDeeper(value, depthMax - 1)) continue
    throw new ValidationError(`${name.slice(0, 100)} must be nested at most ${depthMax} levels deep`)
  }
}

/** Iterates level by level, without recursion, so that no body overflows the stack. */
function isDeeper(value: unknown, levels: number): boolean {
  let level = [value].filter(isNested)
  for (let depth = 0; level.length > 0; depth++) {
    if (depth >= levels) return true
    level = level.flatMap((one) => Object.values(one)).filter(isNested)
  }
  return false
}

export const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null
