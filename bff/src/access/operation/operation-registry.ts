import type { OpenAPIHono, RouteConfig, RouteHandler } from '@hono/zod-openapi'
import type { Handler, MiddlewareHandler } from 'hono'
import type { Env } from '../context/env.ts'
import { nameOf, type Operation } from '../context/operation.ts'

/** Serves operations on one application. */
export type Operations = {
  /** Validates the request by the schemas of the description, after its guard. */
  serve<Described extends Operation>(operation: Described, handler: RouteHandler<Described, Env>): void
  /** For handlers that answer an invalid request in their own way: the schemas are only documented. */
  serveUnvalidated(operation: Operation, handler: Handler<Env>): void
}

/** @returns what serves operations on the application, as `createRegistry` registers them. */
export type OperationsOn = (app: OpenAPIHono<Env>) => Operations

/** The middleware that stands before the handler of an operation. */
export type GuardOf = (operation: Operation) => MiddlewareHandler<Env>[]

/** Every operation of the service. */
export function createRegistry(guardOf: GuardOf) {
  const all: Operation[] = []
  const served = new Set<string>()

  return {
    all: all as readonly Operation[],

    /**
     * @param app - Gets a route for each operation that the result serves.
     * @param document - Where the operations are documented.
     */
    on(app: OpenAPIHono<Env>, document = app.openAPIRegistry): Operations {
      function add(operation: Operation): void {
        all.push(operation)
        served.add(`${operation.method.toUpperCase()} ${pathOf(operation)}`)
        if (!operation.hide) document.registerPath(documented(operation))
      }

      return {
        serve(operation, handler) {
          add(operation)
          app.openapi({ ...operation, hide: true, middleware: guardOf(operation) }, handler as never)
        },
        serveUnvalidated(operation, handler) {
          add(operation)
          app.on([operation.method.toUpperCase()], [pathOf(operation)], ...guardOf(operation), handler)
        },
      }
    },

    /**
     * Refuses to start a service one of whose routes says not who may call it.
     * @throws {Error} naming the first route of the application that was not added by `serve`.
     */
    verifyDeclared(app: OpenAPIHono<Env>): void {
      const undeclared = app.routes.find(
        ({ method, path }) => method !== 'ALL' && path !== '/*' && !served.has(`${method} ${path}`),
      )
      if (undeclared) {
        const { method, path } = undeclared
        throw new Error(`${method} ${path} does not declare who may call it: describe it by defineOperation.`)
      }
    },
  }
}

/** As the router writes it. */
const pathOf = ({ path }: Operation): string => path.replaceAll(/\{(\w+)\}/g, ':$1')

/** The description without what the OpenAPI document has no field for. */
function documented(operation: Operation & { secretFor?: string; till?: string }): RouteConfig {
  const { access, secretFor, till, role, passkey, audit, scope, rate, idempotency, ...route } = operation
  return route
}

/** The names of the operations that pass the test, in the order in which they are served. */
export const namesOf = (operations: readonly Operation[], isMeant: (operation: Operation) => boolean): string[] =>
  operations.filter((operation) => !operation.hide && isMeant(operation)).map(nameOf)
