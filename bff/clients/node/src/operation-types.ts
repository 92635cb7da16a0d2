import type { ParamsOption, RequestBodyOption } from 'openapi-fetch'
import type { paths } from './api.generated.ts'

type Method = 'get' | 'put' | 'post' | 'delete' | 'patch'

/** The paths of the service that have an operation of this method. */
type PathOf<M extends Method> = { [P in keyof paths]: undefined extends paths[P][M] ? never : P }[keyof paths]

/** What a call takes besides the path: `params` (`path`, `query`, `header`) and `body`, as the operation has them, and a signal that aborts it. */
type CallOptions<Operation> = ParamsOption<Operation> & RequestBodyOption<Operation> & { signal?: AbortSignal }

type BodyOf<Response> = Response extends { content: infer Content }
  ? Content extends { 'application/json': infer Body }
    ? Body
    : Content extends { 'text/event-stream': unknown }
      ? ReadableStream<Uint8Array>
      : Content extends Record<string, infer Body>
        ? Body
        : undefined
  : undefined

/** The body of the operation's successful answers: JSON, text, or the stream of its events. */
type ResultOf<Operation> = Operation extends { responses: infer Responses }
  ? BodyOf<Responses[keyof Responses & (200 | 201 | 202 | 204)]>
  : never

/** @throws {CheckoutError} for every answer that is no success. */
export type Call<M extends Method> = <P extends PathOf<M>>(
  path: P,
  ...options: object extends CallOptions<paths[P][M]>
    ? [options?: CallOptions<paths[P][M]>]
    : [options: CallOptions<paths[P][M]>]
) => Promise<ResultOf<paths[P][M]>>

type HeaderOf<Operation> = Operation extends { parameters: { header?: infer Headers } }
  ? [NonNullable<Headers>] extends [never]
    ? never
    : keyof NonNullable<Headers>
  : never

/** Paths whose operation takes an `Idempotency-Key`. */
export type RepeatablePath = {
  [P in PathOf<'post'>]: 'Idempotency-Key' extends HeaderOf<paths[P]['post']> ? P : never
}[PathOf<'post'>]
